import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFinder, type Finder, type Found, findByName, lacksName } from '../browser/search.ts'
import { readEntries, rowsFor, type SearchEntry, type SearchFile, versionKind } from '../browser/tokens.ts'
import { headingSlug } from '../content/to-markdown.ts'
import { markdownFile } from '../site/markdown-file.ts'

/** The pages of a built site, with search. */
export interface Documentation {
  /** All versions, oldest first. */
  readonly versions: readonly string[]
  /** Searches a version. If no version is given, searches the newest version. */
  search(query: string, options?: { version?: string | undefined; limit?: number | undefined }): Matches
  /**
   * Returns a page as Markdown. If the path contains an anchor, returns only that section.
   *
   * @throws Error if the page doesn't exist.
   */
  read(path: string): string
}

export interface Matches {
  readonly message: string
  readonly found: readonly Found[]
}

const defaultLimit = 10

/**
 * Opens the folder of a built site.
 *
 * @throws Error if the site hasn't been built.
 */
export function openDocumentation(folder: string): Documentation {
  if (!existsSync(join(folder, 'index.md')))
    throw new Error('The documentation is not built. Run npm run build first.')
  const files = new Map<string, SearchFile>()
  const fileOf = (name: string): SearchFile => {
    const known =
      files.get(name) ?? searchFile(readFileSync(join(folder, `assets/search-${name}.js`), 'utf8'))
    files.set(name, known)
    return known
  }
  const shared = readEntries(rowsFor('', '', fileOf('shared')))
  const versions = shared.flatMap(({ kind, title }) => (kind === versionKind ? [title] : []))
  const entriesOf = (version: string): SearchEntry[] =>
    readEntries(
      versions.slice(versions.indexOf(version)).flatMap((name) => rowsFor(version, name, fileOf(name))),
    )
  const finders = new Map<string, Finder>()
  const finderOf = (version: string): Finder => {
    const finder = finders.get(version) ?? createFinder([...shared, ...entriesOf(version)])
    finders.set(version, finder)
    return finder
  }
  const redirects = new Map(
    readFileSync(join(folder, '_redirects'), 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .flatMap(([from, to]) => (from && to ? [[from, to] as const] : [])),
  )
  return {
    versions,
    search(query, { version = versions.at(-1) ?? '', limit = defaultLimit } = {}) {
      const response = finderOf(version).find(query, limit)
      if (!lacksName(response, query)) return response
      for (const other of versions.filter((each) => each !== version).reverse()) {
        const named = findByName(entriesOf(other), query).slice(0, limit)
        if (named.length > 0)
          return { message: `Not available in ${version}, but available in ${other}.`, found: named }
      }
      return response
    },
    read(path) {
      const { pathname, hash } = new URL(path, 'https://site.invalid/')
      const folderPath = pathname.replace(/(?:\.md|index\.html)$/, '').replace(/\/?$/, '/')
      const target = new URL(redirects.get(folderPath) ?? folderPath, 'https://site.invalid')
      const file = join(folder, markdownFile(target.pathname))
      if (!existsSync(file))
        throw new Error(`Page ${pathname} not found. Use the search tool to find the right path.`)
      const anchor = decodeURIComponent((hash || target.hash).slice(1))
      const page = readFileSync(file, 'utf8')
      return sectionOf(page, anchor) ?? page
    },
  }
}

/** Reads the rows from an index script. */
export const searchFile = (script: string): SearchFile => JSON.parse(script.slice(script.indexOf(']=') + 2))

/**
 * Returns a section of a page: from the heading with the given anchor to the next heading of the same or a higher
 * level.
 */
function sectionOf(page: string, anchor: string): string | undefined {
  if (anchor === '') return undefined
  const lines = page.split('\n')
  const levelOf = (line: string) => /^#+(?= )/.exec(line)?.[0].length ?? 0
  const begin = lines.findIndex((line) => levelOf(line) > 1 && isAt(line, anchor))
  if (begin < 0) return undefined
  const level = levelOf(lines[begin] ?? '')
  const end = lines.findIndex((line, index) => index > begin && levelOf(line) > 0 && levelOf(line) <= level)
  const title = lines[0] ?? ''
  return [title, '', ...lines.slice(begin, end < 0 ? undefined : end)].join('\n')
}

const isAt = (heading: string, anchor: string): boolean =>
  heading.includes(`<a id="${anchor}"></a>`) || headingSlug(heading.replace(/^#+ /, '')) === anchor
