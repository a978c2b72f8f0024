/** Returns a text's words, including the parts of names such as `acknowledgedUntil` and `OUTSIDE_METRIC_THRESHOLD`. */
export function tokens(text: string): string[] {
  return text
    .split(/[^\p{L}\p{N}_.-]+/u)
    .flatMap((word) => {
      const whole = word.replace(/^[._-]+|[._-]+$/g, '')
      const parts = whole.split(/[_.-]+|(?<=[a-z0-9])(?=[A-Z])/)
      return parts.length > 1 ? [whole, ...parts] : [whole]
    })
    .filter((word) => word.length > 0)
}

export const searchFields = ['title', 'names', 'text', 'body'] as const

export interface SearchEntry {
  readonly kind: string
  readonly title: string
  /** The page's address without the leading slash, relative to the site's root. */
  readonly url: string
  readonly detail: string
  readonly text: string
  readonly names: string
  /** If the reader types this exact text, the entry ranks first. */
  readonly key: string
  /** Words from tables and code. These words count less than words in sentences. */
  readonly body: string
}

/**
 * Search entries in a compact format. Each row contains a `SearchEntry`'s values in order, without empty values at the
 * end. If a URL is only an anchor, it belongs to the previous row's page. A value such as `=11` represents the entry's
 * detail without its first 11 characters.
 */
export type SearchRows = readonly (readonly string[])[]

/** Converts rows to the compact format. `wholeRows` reverses the conversion. */
export function shortRows(rows: SearchRows): SearchRows {
  let page = ''
  return rows.map(([kind = '', title = '', url = '', detail = '', text = '', ...rest]) => {
    const [path = '', anchor] = url.split('#')
    const shortUrl = path === page && anchor !== undefined ? `#${anchor}` : url
    const shortText = text && detail.endsWith(text) ? `=${detail.length - text.length}` : text
    page = path
    const row = [kind, title, shortUrl, detail, shortText, ...rest]
    return row.slice(0, row.findLastIndex((value) => value !== '') + 1)
  })
}

export function wholeRows(rows: SearchRows): SearchRows {
  let page = ''
  return rows.map(([kind = '', title = '', url = '', detail = '', text = '', ...rest]) => {
    if (!url.startsWith('#')) page = url.replace(/#.*/, '')
    const [, start] = /^=(\d+)$/.exec(text) ?? []
    const wholeText = start === undefined ? text : detail.slice(Number(start))
    return [kind, title, url.startsWith('#') ? page + url : url, detail, wholeText, ...rest]
  })
}

/**
 * The rows in one file. Each key contains the versions that its rows apply to, separated by spaces. Rows with an empty
 * key apply to all versions.
 */
export type SearchFile = Readonly<Record<string, SearchRows>>

/**
 * Returns the rows from another version's file that also apply to this version, with addresses adjusted to this
 * version.
 */
export function rowsFor(version: string, name: string, file: SearchFile): SearchRows {
  return Object.entries(file).flatMap(([versions, rows]) => {
    if (versions !== '' && !versions.split(' ').includes(version)) return []
    const whole = wholeRows(rows)
    if (version === name || versions === '') return whole
    return whole.map(([kind = '', title = '', url = '', ...rest]) => [
      kind,
      title,
      addressIn(version, name, url),
      ...rest,
    ])
  })
}

/**
 * Adds a version to an address. Pages that several versions share read the version from the address. The types page is
 * an exception.
 */
function addressIn(version: string, name: string, url: string): string {
  if (url.startsWith(`${name}/types/`)) return url
  const [path = '', anchor] = url.split('#')
  return `${path}?version=${version}${anchor === undefined ? '' : `#${anchor}`}`
}

/**
 * The name of the global variable that the index scripts write to. The variable contains each script's rows, by file
 * name.
 */
export const indexGlobal = 'searchRows'

export const versionKind = 'Version'

export const operationKinds = { current: 'Operation', deprecated: 'Deprecated operation' } as const

export function readEntries(rows: SearchRows): SearchEntry[] {
  return rows.map(
    ([kind = '', title = '', url = '', detail = '', text = '', names = '', key = '', body = '']) => ({
      kind,
      title,
      url,
      detail,
      text,
      names,
      key: key || title,
      body,
    }),
  )
}

export const indexOptions = {
  fields: [...searchFields],
  tokenize: tokens,
  processTerm: (term: string) => term.toLowerCase(),
}
