import type { Strength } from '../document/strength.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Difference } from './difference.ts'
import type { FinishedRun } from './finished-run.ts'

/** What a check found when a requirement was violated. */
export interface Breach {
  readonly expected: string
  readonly actual: string
  readonly exchange?: Exchange
  /** Set if the violated part of the requirement rests on a weaker fact than the requirement. */
  readonly strength?: Strength
  /** Groups breaches with the same cause. Default: the expected and actual texts without their values. */
  readonly difference?: Difference
}

/** Input for a breach. An absent or empty `actual` is reported as "nothing". */
export type BreachInput = Omit<Breach, 'actual'> & { readonly actual: string | undefined }

const breachOf = (input: BreachInput): Breach => ({ ...input, actual: input.actual || 'nothing' })

/** The target violated a requirement. All other errors of a check are errors of the kit. */
export class Violation extends Error {
  override readonly name = 'Violation'
  readonly breach: Breach

  constructor(input: BreachInput) {
    const breach = breachOf(input)
    super(`expected ${breach.expected}, got ${breach.actual}`)
    this.breach = breach
  }
}

/** The target meets the requirement, but in a way that is not recommended. */
export class Lenience extends Error {
  override readonly name = 'Lenience'
  readonly breach: Breach

  constructor(input: BreachInput) {
    const breach = breachOf(input)
    super(`recommended ${breach.expected}, got ${breach.actual}`)
    this.breach = breach
  }
}

/** The check needs something that the target file doesn't provide and the target can't arrange. */
export class Untestable extends Error {
  override readonly name = 'Untestable'
  readonly prerequisite: string

  constructor(prerequisite: string) {
    super(prerequisite)
    this.prerequisite = prerequisite
  }
}

/** The requirement doesn't apply here. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable'
}

/** A hook or the control interface failed, which says nothing about the target. */
export class NotArranged extends Error {
  override readonly name = 'NotArranged'
}

/** A run that didn't finish. */
class Ended extends Error {
  /** The results so far; `undefined` before the first check and while checks are running. */
  readonly finished: FinishedRun | undefined

  constructor(message: string, finished?: FinishedRun) {
    super(message)
    this.finished = finished
  }
}

/** Nothing responds at the address, or it stopped responding. */
export class Unreachable extends Ended {
  override readonly name = 'Unreachable'
}

/** The run was interrupted, and its resources have been removed. */
export class Interrupted extends Ended {
  override readonly name = 'Interrupted'
}

/** The target file or the command line is invalid. */
export class Misconfiguration extends Error {
  override readonly name = 'Misconfiguration'
}
