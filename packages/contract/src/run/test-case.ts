import type { Result } from '../model/result.ts'
import type { Verdict } from '../model/verdict.ts'

/** A check as a test, for any test runner that accepts a name and a function. */
export interface TestCase {
  readonly id: string
  /** Rejects if a requirement is violated, the check can't run, or the kit fails. */
  run(): Promise<void>
}

/** Verdicts that make a test fail. A check that couldn't run doesn't pass. */
const red: ReadonlySet<Verdict> = new Set<Verdict>(['FAIL', 'KIT ERROR', 'UNTESTABLE'])

/** A check's verdict as an error, for test runners. */
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

/** Throws the first failing result, from the check itself or from a judge. */
export const throwRed = (results: readonly Result[]): void => {
  const first = results.find(({ verdict }) => red.has(verdict))
  if (first) throw new Unfulfilled(first)
}
