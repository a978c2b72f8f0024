import { element } from './elements.ts'
import { createFinder, type Finder, type Found, findByName, lacksName } from './search.ts'
import { indexGlobal, readEntries, type SearchEntry, type SearchRows, versionKind } from './tokens.ts'

const loaded = new Map<string, Promise<SearchEntry[]>>()
const finders = new Map<string, Promise<Finder>>()

/** The index of a version; made once, when it is first needed. */
export function finderFor(root: string, version: string): Promise<Finder> {
  const known = finders.get(version)
  if (known) return known
  const making = Promise.all([entriesOf(root, 'shared'), entriesOf(root, version)]).then((found) =>
    createFinder(found.flat()),
  )
  finders.set(version, making)
  // The next attempt may reach the server again.
  making.catch(() => finders.delete(version))
  return making
}

/** What is found, and what there is to say of it. */
export interface Answer {
  readonly message: string
  readonly found: readonly Found[]
}

/** Completes what was found with the newest of the other versions that has the name, where this one has not. */
export async function withOthers(
  root: string,
  version: string,
  query: string,
  found: readonly Found[],
): Promise<Answer> {
  if (!lacksName(found, query)) return { message: '', found }
  const shared = await entriesOf(root, 'shared')
  const others = shared.filter(({ kind, title }) => kind === versionKind && title !== version).reverse()
  for (const { title } of others) {
    const named = findByName(await entriesOf(root, title), query)
    if (named.length === 0) continue
    const marked = named.map((each) => ({ ...each, detail: `${title}: ${each.detail}` }))
    return { message: `Not in ${version}, but in ${title}.`, found: [...found, ...marked] }
  }
  return { message: found.length === 0 ? `Nothing found in ${version}.` : '', found }
}

function entriesOf(root: string, name: string): Promise<SearchEntry[]> {
  const known = loaded.get(name)
  if (known) return known
  const loading = rowsOf(`${root}assets/search-${name}.js`, name).then(readEntries)
  loaded.set(name, loading)
  loading.catch(() => loaded.delete(name))
  return loading
}

function rowsOf(src: string, name: string): Promise<SearchRows> {
  return new Promise((resolve, reject) => {
    const script = element('script', { src })
    const missing = () => {
      script.remove()
      reject(new Error('The search index could not be loaded. Is the server of this page still there?'))
    }
    script.addEventListener('error', missing)
    script.addEventListener('load', () => {
      const rows: SearchRows | undefined = Reflect.get(window, indexGlobal)?.[name]
      if (rows) resolve(rows)
      else missing()
    })
    document.head.append(script)
  })
}
