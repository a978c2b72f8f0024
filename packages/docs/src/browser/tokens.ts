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
export const searchFields = ['title', 'names', 'text'] as const

/** One result, as it is stored in the index. */
export interface SearchEntry {
  readonly id: number
  /** A query that is this and nothing else wants this entry before all others. */
  readonly key: string
  readonly title: string
  readonly names: string
  readonly text: string
  readonly kind: string
  /** From the root of the site, without the first slash. */
  readonly url: string
  readonly detail: string
}

/** Options that the index is built with, and that it must be read with. */
export const indexOptions = {
  fields: [...searchFields],
  storeFields: ['key', 'title', 'kind', 'url', 'detail'],
  tokenize: tokens,
  processTerm: (term: string) => term.toLowerCase(),
}
