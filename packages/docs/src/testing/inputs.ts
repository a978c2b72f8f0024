import { readEntries, rowsFor, type SearchEntry } from '../browser/tokens.ts'
import { siteFiles } from '../build-site.ts'
import { readInputs } from '../inputs.ts'
import { siteModel } from '../model/site-model.ts'

/** The actual specification. All tests in a file share the specification, because reading it takes time. */
export const inputs = readInputs()
export const model = siteModel(inputs)
export const built = siteFiles(inputs, 'https://docs.example.com')

/** Returns the text of a file on the site. */
export function textOf(path: string): string {
  const content = built.files.get(path)
  if (content === undefined) throw new Error(`The site has no ${path}.`)
  return typeof content === 'string' ? content : Buffer.from(content).toString('utf8')
}

export const pagePaths = [...built.files.keys()].filter((path) => path.endsWith('.html'))

/** Returns the search entries for a version, or the entries that apply to all versions. */
export function searchEntriesOf(name: string): SearchEntry[] {
  const at = model.versions.findIndex(({ id }) => id === name)
  const files = at < 0 ? [name] : model.versions.slice(at).map(({ id }) => id)
  return files.flatMap((file) => {
    const text = textOf(`assets/search-${file}.js`)
    return readEntries(rowsFor(name, file, JSON.parse(text.slice(text.indexOf(']=') + 2))))
  })
}
