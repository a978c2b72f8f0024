import { element } from './elements.ts'
import { createFinder, type Finder, findByName, lacksName, type SearchResponse } from './search.ts'
import {
  indexGlobal,
  readEntries,
  rowsFor,
  type SearchEntry,
  type SearchFile,
  versionKind,
} from './tokens.ts'

const loaded = new Map<string, Promise<SearchFile>>()
const finders = new Map<string, Promise<Finder>>()

/** Returns the `Finder` for a version. The first call builds the index, and later calls reuse it. */
export function finderFor(root: string, version: string): Promise<Finder> {
  const known = finders.get(version)
  if (known) return known
  const making = Promise.all([sharedEntries(root), entriesOf(root, version)]).then((found) =>
    createFinder(found.flat()),
  )
  finders.set(version, making)
  // If loading fails, discard the promise so that the next call tries again.
  making.catch(() => finders.delete(version))
  return making
}

/**
 * Adds results from other versions if this version has no match for the name in the query. Uses the newest version that
 * has the name.
 */
export async function withOthers(
  root: string,
  version: string,
  query: string,
  response: SearchResponse,
): Promise<SearchResponse> {
  if (!lacksName(response, query)) return response
  const shared = await sharedEntries(root)
  const others = shared.filter(({ kind, title }) => kind === versionKind && title !== version).reverse()
  for (const { title } of others) {
    const named = findByName(await entriesOf(root, title), query)
    if (named.length === 0) continue
    const marked = named.map((each) => ({ ...each, detail: `${title}: ${each.detail}` }))
    // An exact match in a different version ranks above similar names in this version.
    const found = response.guessed ? marked : [...marked, ...response.found]
    return { message: `Not available in ${version}, but available in ${title}.`, found }
  }
  return response.found.length > 0 ? response : { message: `Nothing found in ${version}.`, found: [] }
}

const sharedEntries = async (root: string): Promise<SearchEntry[]> =>
  readEntries(rowsFor('', '', await fileOf(root, 'shared')))

/** Returns a version's search entries, including entries that are stored in newer versions' files. */
async function entriesOf(root: string, version: string): Promise<SearchEntry[]> {
  const shared = await sharedEntries(root)
  const versions = shared.flatMap(({ kind, title }) => (kind === versionKind ? [title] : []))
  const names = versions.slice(versions.indexOf(version))
  const files = await Promise.all(names.map(async (name) => rowsFor(version, name, await fileOf(root, name))))
  return readEntries(files.flat())
}

function fileOf(root: string, name: string): Promise<SearchFile> {
  const known = loaded.get(name)
  if (known) return known
  const loading = load(`${root}assets/search-${name}.js`, name)
  loaded.set(name, loading)
  loading.catch(() => loaded.delete(name))
  return loading
}

function load(src: string, name: string): Promise<SearchFile> {
  return new Promise((resolve, reject) => {
    const script = element('script', { src })
    const missing = () => {
      script.remove()
      reject(new Error('The search index could not be loaded. Check that the server is still running.'))
    }
    script.addEventListener('error', missing)
    script.addEventListener('load', () => {
      const file: SearchFile | undefined = Reflect.get(window, indexGlobal)?.[name]
      if (file) resolve(file)
      else missing()
    })
    document.head.append(script)
  })
}
