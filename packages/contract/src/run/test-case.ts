import type { Result } from '../model/result.ts'
import type { Verdict } from '../model/verdict.ts'

/** A check as a test, for any test runner that accepts a name and a function. */
export interface TestCase {
  readonly id: string
  /** Rejects if the target violates a requirement, if the check can't run, or if the kit fails. */
  run(): Promise<void>
}

/** These verdicts make a test fail. UNTESTABLE makes a test fail, because a check that couldn't run hasn't passed. */
const red: ReadonlySet<Verdict> = new Set<Verdict>(['FAIL', 'KIT ERROR', 'UNTESTABLE'])

/** Thrown by a test whose check has a failing verdict. */
export class Unfulfilled extends Error {
  override readonly name = 'Unfulfilled'
  readonly result: Result

  constructor(result: Result) {
    const { verdict, requirement, expected, actual, reason, curl } = result
    const lines = expected === undefined ? [reason ?? ''] : [`expected ${expected}`, `got ${actual}`]
    super([`${verdict} ${requirement}`, ...lines, ...(curl ? [curl] : [])].join('\n'))
    this.result = result
  }
}

/** Throws an error for the first failing result of the check or of a judge. */
export const throwRed = (results: readonly Result[]): void => {
  const first = results.find(({ verdict }) => red.has(verdict))
  if (first) throw new Unfulfilled(first)
}
