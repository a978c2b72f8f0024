import { readEntries, type SearchEntry } from '../browser/tokens.ts'
import { siteFiles } from '../build-site.ts'
import { readInputs } from '../inputs.ts'
import { siteModel } from '../model/site-model.ts'

/** The real specification, once for all tests of a file: pages are judged on what readers get. */
export const inputs = readInputs()
export const model = siteModel(inputs)
export const built = siteFiles(inputs, 'https://docs.example.com')

/** The text of a file of the site. */
export function textOf(path: string): string {
  const content = built.files.get(path)
  if (content === undefined) throw new Error(`The site has no ${path}.`)
  return typeof content === 'string' ? content : Buffer.from(content).toString('utf8')
}

/** The paths of all pages. */
export const pagePaths = [...built.files.keys()].filter((path) => path.endsWith('.html'))

/** What the script of a search index leaves for the page. */
export function searchEntriesOf(name: string): SearchEntry[] {
  const text = textOf(`assets/search-${name}.js`)
  return readEntries(JSON.parse(text.slice(text.indexOf(']=') + 2)))
}
