import type { Strength } from '../document/strength.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Difference } from './difference.ts'
import type { FinishedRun } from './finished-run.ts'

/** The difference between a requirement and the target's behavior. */
export interface Breach {
  readonly expected: string
  readonly actual: string
  readonly exchange?: Exchange
  /** Set only if the violated part of the requirement is weaker than the requirement itself. */
  readonly strength?: Strength
  /**
   * A description of the fault that is more specific than the requirement's text, for example with a field and its
   * values.
   */
  readonly headline?: string
  /**
   * Violations with the same difference are reported as one finding. By default, the difference is the
   * expected and actual text without values.
   */
  readonly difference?: Difference
}

/** If `actual` is omitted or empty, it defaults to "nothing". */
export type BreachInput = Omit<Breach, 'actual'> & { readonly actual: string | undefined }

const breachOf = (input: BreachInput): Breach => ({ ...input, actual: input.actual || 'nothing' })

/** Thrown if the target violates a requirement. All other errors in a check are considered errors in the kit. */
export class Violation extends Error {
  override readonly name = 'Violation'
  readonly breach: Breach

  constructor(input: BreachInput) {
    const breach = breachOf(input)
    super(`expected ${breach.expected}, got ${breach.actual}`)
    this.breach = breach
  }
}

/** Thrown if the target meets the requirement in a way that we don't recommend. */
export class Lenience extends Error {
  override readonly name = 'Lenience'
  readonly breach: Breach

  constructor(input: BreachInput) {
    const breach = breachOf(input)
    super(`recommended ${breach.expected}, got ${breach.actual}`)
    this.breach = breach
  }
}

/** Thrown if the check needs something that the target file doesn't contain and the kit can't create. */
export class Untestable extends Error {
  override readonly name = 'Untestable'
  readonly prerequisite: string

  constructor(prerequisite: string) {
    super(prerequisite)
    this.prerequisite = prerequisite
  }
}

/** Thrown if the requirement doesn't apply to the target. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable'
}

interface NotArrangedOptions extends ErrorOptions {
  /** The status with which the hook or the control interface failed. */
  readonly status?: number
}

/** Thrown if a hook or the control interface fails. The failure doesn't count as a fault of the target. */
export class NotArranged extends Error {
  override readonly name = 'NotArranged'
  readonly status: number | undefined

  constructor(message: string, { status, ...options }: NotArrangedOptions = {}) {
    super(message, options)
    this.status = status
  }
}

/** Thrown if a run doesn't finish. */
class Ended extends Error {
  /** The results so far. The field is `undefined` before the first check, and when a check throws this error. */
  readonly finished: FinishedRun | undefined

  constructor(message: string, finished?: FinishedRun) {
    super(message)
    this.finished = finished
  }
}

/** Thrown if nothing responds at the target's address, either from the start or during the run. */
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
