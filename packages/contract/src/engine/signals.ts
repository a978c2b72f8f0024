import type { Exchange } from '../http/exchange.ts'
import type { FinishedRun } from './finished-run.ts'
import type { Strength } from './verdict.ts'

/** What a check saw when a promise was broken. */
export interface Breach {
  readonly expected: string
  readonly actual: string
  readonly exchange?: Exchange
  /** Set when only part of the promise broke, and that part rests on a weaker fact than the requirement. */
  readonly strength?: Strength
}

/** A breach as a check tells it: what the target did not send, or sent empty, is nothing. */
export type BreachInput = Omit<Breach, 'actual'> & { readonly actual: string | undefined }

const breachOf = (input: BreachInput): Breach => ({ ...input, actual: input.actual || 'nothing' })

/** The target broke a promise. Anything else that a check throws is a fault of the kit. */
export class Violation extends Error {
  override readonly name = 'Violation'
  readonly breach: Breach

  constructor(input: BreachInput) {
    const breach = breachOf(input)
    super(`expected ${breach.expected}, got ${breach.actual}`)
    this.breach = breach
  }
}

/** The target kept to the letter of the promise, in a way that is not recommended. */
export class Lenience extends Error {
  override readonly name = 'Lenience'
  readonly breach: Breach

  constructor(input: BreachInput) {
    const breach = breachOf(input)
    super(`better ${breach.expected}, got ${breach.actual}`)
    this.breach = breach
  }
}

/** The check needs something that the target file does not give and the target cannot arrange. */
export class Untestable extends Error {
  override readonly name = 'Untestable'
  readonly prerequisite: string

  constructor(prerequisite: string) {
    super(prerequisite)
    this.prerequisite = prerequisite
  }
}

/** The requirement says nothing at this place. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable'
}

/** A hook or the control interface did not do what it was asked for, which says nothing about the target. */
export class NotArranged extends Error {
  override readonly name = 'NotArranged'
}

/** A run did not come to its end. */
class Ended extends Error {
  /** What the run had found out by then; `undefined` before its first check, and in the midst of it. */
  readonly finished: FinishedRun | undefined

  constructor(message: string, finished?: FinishedRun) {
    super(message)
    this.finished = finished
  }
}

/** Nothing answers at the address, or not any more. */
export class Unreachable extends Ended {
  override readonly name = 'Unreachable'
}

/** Somebody broke a run off; what it had made is removed. */
export class Interrupted extends Ended {
  override readonly name = 'Interrupted'
}

/** The target file or the command line is wrong. */
export class Misconfiguration extends Error {
  override readonly name = 'Misconfiguration'
}
