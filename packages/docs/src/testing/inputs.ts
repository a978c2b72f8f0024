import { readEntries, type SearchEntry } from '../browser/tokens.ts'
import { siteFiles } from '../build-site.ts'
import { readInputs } from '../inputs.ts'
import { siteModel } from '../model/site-model.ts'

/** The real specification, loaded once for all tests of a file. */
export const inputs = readInputs()
export const model = siteModel(inputs)
export const built = siteFiles(inputs, 'https://docs.example.com')

/** The text of a site file. */
export function textOf(path: string): string {
  const content = built.files.get(path)
  if (content === undefined) throw new Error(`The site has no ${path}.`)
  return typeof content === 'string' ? content : Buffer.from(content).toString('utf8')
}

/** The paths of all pages. */
export const pagePaths = [...built.files.keys()].filter((path) => path.endsWith('.html'))

/** The entries of a search index script. */
export function searchEntriesOf(name: string): SearchEntry[] {
  const text = textOf(`assets/search-${name}.js`)
  return readEntries(JSON.parse(text.slice(text.indexOf(']=') + 2)))
}
