/** The words of a text: as they are, and the parts of names such as `acknowledgedUntil` and `OUTSIDE_METRIC_THRESHOLD`. */
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

/** What a search compares. */
export const searchFields = ['title', 'names', 'text', 'body'] as const

/** One result. */
export interface SearchEntry {
  readonly kind: string
  readonly title: string
  /** From the root of the site, without the first slash. */
  readonly url: string
  readonly detail: string
  readonly text: string
  readonly names: string
  /** A query that is this and nothing else wants this entry before all others. */
  readonly key: string
  /** Words of tables and code, which count less than sentences. */
  readonly body: string
}

/** Each row is the values of a `SearchEntry` in the order of its members, without those that are empty at its end. */
export type SearchRows = readonly (readonly string[])[]

/** Where scripts of the index leave their rows, by the name of the file. */
export const indexGlobal = 'searchRows'

/** The entries that were found in every version and name one. */
export const versionKind = 'Version'

/** The entries of operations. */
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
