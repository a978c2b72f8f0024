import type { Strength } from '../document/strength.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Difference } from './difference.ts'
import type { Verdict } from './verdict.ts'

/** The verdict on one requirement for one operation version. */
export interface Result {
  /** The result's name, in the format `requirement@operationId@version#variant`. */
  readonly id: string
  readonly requirement: string
  readonly operation: string
  readonly version: string
  readonly variant: string
  readonly verdict: Verdict
  readonly strength: Strength
  /** The reason for some verdicts: the requirement doesn't apply, a prerequisite is missing, or the kit failed. */
  readonly reason?: string
  readonly expected?: string
  readonly actual?: string
  /** The finding's title, if it should be more specific than the requirement's text. */
  readonly headline?: string
  /** Results that have the same difference are reported as one finding. */
  readonly difference?: Difference
  /** The exchange that determined the verdict. Secrets in the exchange are masked. */
  readonly exchange?: Exchange
  readonly curl?: string
  /** The number of exchanges that were judged. */
  readonly exchanges: number
}

/** A response status that an operation returned in one of its versions. */
export interface Coverage {
  readonly operation: string
  readonly version: string
  readonly status: number
}

export const resultId = (requirement: string, cell: string, variant: string): string =>
  `${requirement}@${cell}${variant === '' ? '' : `#${variant}`}`

/** Compares IDs by their UTF-16 code units, so that the order is the same on all machines. */
export const byId = (one: { readonly id: string }, other: { readonly id: string }): number => {
  if (one.id === other.id) return 0
  return one.id < other.id ? -1 : 1
}
