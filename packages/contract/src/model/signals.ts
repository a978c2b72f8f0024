import type { Strength } from '../document/strength.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Difference } from './difference.ts'
import type { FinishedRun } from './finished-run.ts'

/** How a target violated a requirement. */
export interface Breach {
  readonly expected: string
  readonly actual: string
  readonly exchange?: Exchange
  /** Set if the violated part of the requirement has a weaker strength than the requirement itself. */
  readonly strength?: Strength
  /** The fault, if it says more than the requirement's text, such as the field and its values. */
  readonly headline?: string
  /** Groups breaches that have the same cause. By default, the expected and actual texts without their values. */
  readonly difference?: Difference
}

/** Input for creating a breach. An omitted or empty `actual` is reported as "nothing". */
export type BreachInput = Omit<Breach, 'actual'> & { readonly actual: string | undefined }

const breachOf = (input: BreachInput): Breach => ({ ...input, actual: input.actual || 'nothing' })

/** Thrown if the target violates a requirement. The kit treats any other error in a check as its own. */
export class Violation extends Error {
  override readonly name = 'Violation'
  readonly breach: Breach

  constructor(input: BreachInput) {
    const breach = breachOf(input)
    super(`expected ${breach.expected}, got ${breach.actual}`)
    this.breach = breach
  }
}

/** Thrown if the target meets the requirement in a way that is not recommended. */
export class Lenience extends Error {
  override readonly name = 'Lenience'
  readonly breach: Breach

  constructor(input: BreachInput) {
    const breach = breachOf(input)
    super(`recommended ${breach.expected}, got ${breach.actual}`)
    this.breach = breach
  }
}

/** Thrown if the check needs something that is not in the target file and that the kit can't provide. */
export class Untestable extends Error {
  override readonly name = 'Untestable'
  readonly prerequisite: string

  constructor(prerequisite: string) {
    super(prerequisite)
    this.prerequisite = prerequisite
  }
}

/** Thrown if the requirement doesn't apply. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable'
}

/** Thrown if a hook or the control interface fails. Such a failure says nothing about the target. */
export class NotArranged extends Error {
  override readonly name = 'NotArranged'
}

/** Thrown if a run doesn't finish. */
class Ended extends Error {
  /** The results so far. `undefined` before the first check and while checks are running. */
  readonly finished: FinishedRun | undefined

  constructor(message: string, finished?: FinishedRun) {
    super(message)
    this.finished = finished
  }
}

/** Thrown if nothing responds at the address, or if the target stops responding. */
export class Unreachable extends Ended {
  override readonly name = 'Unreachable'
}

/** Thrown if the run was interrupted and has removed its resources. */
export class Interrupted extends Ended {
  override readonly name = 'Interrupted'
}

/** Thrown if the target file or the command line is invalid. */
export class Misconfiguration extends Error {
  override readonly name = 'Misconfiguration'
}
