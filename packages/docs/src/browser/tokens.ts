/** The words of a text, and the parts of names such as `acknowledgedUntil` and `OUTSIDE_METRIC_THRESHOLD`. */
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

/** The index options. */
export const searchFields = ['title', 'names', 'text', 'body'] as const

/** One result. */
export interface SearchEntry {
  readonly kind: string
  readonly title: string
  /** From the root of the site, without the leading slash. */
  readonly url: string
  readonly detail: string
  readonly text: string
  readonly names: string
  /** A query that equals this text ranks the entry first. */
  readonly key: string
  /** Words of tables and code, which count less than sentences. */
  readonly body: string
}

/** A row has the values of a `SearchEntry` in order, without trailing empty ones. */
export type SearchRows = readonly (readonly string[])[]

/** The rows of a file, by the versions that they apply to, separated by spaces. Rows under an empty key apply to all. */
export type SearchFile = Readonly<Record<string, SearchRows>>

/** The rows of a version in the file of another one, with the addresses of this version. */
export function rowsFor(version: string, name: string, file: SearchFile): SearchRows {
  return Object.entries(file).flatMap(([versions, rows]) => {
    if (versions !== '' && !versions.split(' ').includes(version)) return []
    if (version === name || versions === '') return rows
    return rows.map(([kind = '', title = '', url = '', ...rest]) => [
      kind,
      title,
      addressIn(version, name, url),
      ...rest,
    ])
  })
}

/** Pages that several versions share read the version from their address, except for the page of types. */
function addressIn(version: string, name: string, url: string): string {
  if (url.startsWith(`${name}/types/`)) return url
  const [path = '', anchor] = url.split('#')
  return `${path}?version=${version}${anchor === undefined ? '' : `#${anchor}`}`
}

/** The global variable with the rows of each index script, by file name. */
export const indexGlobal = 'searchRows'

/** The kind of entries for versions. */
export const versionKind = 'Version'

/** The kinds of entries for operations. */
export const operationKinds = { current: 'Operation', deprecated: 'Deprecated operation' } as const

/** Reads the rows of a file. */
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
