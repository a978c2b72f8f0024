import type { Result } from './result.ts'
import type { Verdict } from './verdict.ts'

/** A check as a test of any runner that takes a name and a function. */
export interface TestCase {
  readonly id: string
  /** Rejects when a promise is broken, when the check cannot be made, and when the kit itself goes wrong. */
  run(): Promise<void>
}

/** What makes a test red. A check that could not be made is not green. */
const red: ReadonlySet<Verdict> = new Set<Verdict>(['FAIL', 'KIT ERROR', 'UNTESTABLE'])

/** The verdict of a check, as an error that a test runner shows. */
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

/** Throws the first red result of a check: its own, or what a judge saw in its exchanges. */
export const throwRed = (results: readonly Result[]): void => {
  const first = results.find(({ verdict }) => red.has(verdict))
  if (first) throw new Unfulfilled(first)
}
