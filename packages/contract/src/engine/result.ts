import type { Exchange } from '../http/exchange.ts'
import type { Strength, Verdict } from './verdict.ts'

/** The verdict on one requirement at one place. */
export interface Result {
  /** `requirement@operationId@version#variant`. */
  readonly id: string
  readonly requirement: string
  readonly operation: string
  readonly version: string
  readonly variant: string
  readonly verdict: Verdict
  readonly strength: Strength
  /** Why it does not apply, which prerequisite is missing, or what went wrong in the kit. */
  readonly reason?: string
  readonly expected?: string
  readonly actual?: string
  /** The exchange that decided, secrets masked. */
  readonly exchange?: Exchange
  readonly curl?: string
  /** Exchanges that were looked at. */
  readonly exchanges: number
}

export const resultId = (requirement: string, cell: string, variant: string): string =>
  `${requirement}@${cell}${variant === '' ? '' : `#${variant}`}`

/** One id before another, the same on every machine: by code unit, not by language. */
export const byId = (one: { readonly id: string }, other: { readonly id: string }): number => {
  if (one.id === other.id) return 0
  return one.id < other.id ? -1 : 1
}
