import type { LedgerEntry } from '@svc-admin/spec'
import { slugOf } from '../content/inline.ts'
import { sourceAddress } from '../content/strength.ts'

/** One of our decisions. Decisions are in the same order as in the ledger. */
export interface Decision {
  readonly heading: string
  readonly anchor: string
  readonly entry: LedgerEntry
}

export interface Decisions {
  readonly byHeading: ReadonlyMap<string, readonly Decision[]>
  /**
   * Returns a Markdown link that marks a field as our decision. The link leads to the decision about `fact`, such as
   * `error:NOT_ACCEPTABLE`, or to the heading if `fact` is omitted.
   */
  mark(source: string, fact?: string): string
}

const title = /^decided: ([^/]+)(?:\/(.+))?$/

export function decisionsOf(ledger: readonly LedgerEntry[]): Decisions {
  const byHeading = new Map<string, Decision[]>()
  const byFact = new Map<string, Decision>()
  for (const entry of ledger) {
    const [, heading] = title.exec(entry.key) ?? []
    if (!heading) continue
    const decision = { heading, anchor: anchorOf(entry.key), entry }
    byHeading.set(heading, [...(byHeading.get(heading) ?? []), decision])
    for (const fact of entry.facts ?? [])
      if (!byFact.has(`${heading} ${fact}`)) byFact.set(`${heading} ${fact}`, decision)
  }
  const marks = new Map<string, string>()
  return {
    byHeading,
    mark(source, fact) {
      const asked = `${source}\0${fact ?? ''}`
      const known = marks.get(asked)
      if (known !== undefined) return known
      const [, heading = ''] = title.exec(source) ?? []
      const found = byFact.get(`${heading} ${fact}`)
      const address = found ? `/decisions/#${found.anchor}` : sourceAddress(source)
      const link = address ? `[our decision](${address} "${markTitle}")` : 'our decision'
      marks.set(asked, link)
      return link
    },
  }
}

/** The tooltip of the links that mark our decisions. Style sheets also use the tooltip to find these links. */
export const markTitle = 'Why'

/**
 * Returns the anchor of a decision. All decisions about an operation share one row. Every other decision has its own
 * row.
 */
function anchorOf(key: string): string {
  const parts = key.replace('decided: ', '').split('/')
  return slugOf(parts.slice(0, parts[0] === 'Operations' ? 2 : parts.length).join('/'))
}

/** Returns text followed by marks. Duplicate marks appear only once. */
export function marked(text: string, marks: readonly (string | undefined)[]): string {
  const own = [...new Set(marks.filter(Boolean))]
  return [text, ...own].join(' ')
}
