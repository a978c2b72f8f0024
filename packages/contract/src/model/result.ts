import type { Strength } from '../document/strength.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Difference } from './difference.ts'
import type { Verdict } from './verdict.ts'

/** The verdict on one requirement in one cell. */
export interface Result {
  /** `requirement@operationId@version#variant`. */
  readonly id: string
  readonly requirement: string
  readonly operation: string
  readonly version: string
  readonly variant: string
  readonly verdict: Verdict
  readonly strength: Strength
  /**
   * The reason for the verdict: why the requirement doesn't apply, what is missing, or which error occurred in the
   * kit.
   */
  readonly reason?: string
  readonly expected?: string
  readonly actual?: string
  /** The fault, for the finding's title. By default, the requirement's text. */
  readonly headline?: string
  /** Groups results that have the same cause. */
  readonly difference?: Difference
  /** The exchange that determined the verdict, without secrets. */
  readonly exchange?: Exchange
  readonly curl?: string
  /** The number of exchanges that were judged. */
  readonly exchanges: number
}

/** An operation, a version and a status that was seen in a response. */
export interface Coverage {
  readonly operation: string
  readonly version: string
  readonly status: number
}

export const resultId = (requirement: string, cell: string, variant: string): string =>
  `${requirement}@${cell}${variant === '' ? '' : `#${variant}`}`

/** Compares IDs by code unit, so that the order doesn't depend on the machine. */
export const byId = (one: { readonly id: string }, other: { readonly id: string }): number => {
  if (one.id === other.id) return 0
  return one.id < other.id ? -1 : 1
}
