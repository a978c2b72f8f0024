import { Violation } from './signals.ts'

/** Runs several expectations, so that a decided violation doesn't hide a stated violation. */
export interface Strongest {
  /** Runs an expectation. Throws stated violations and other errors, but keeps decided violations until the end. */
  expect(expectation: () => void): void
  /** @throws Violation the first decided violation, if there is one. */
  end(): void
}

export const createStrongest = (): Strongest => {
  let decided: Violation | undefined
  return {
    expect(expectation) {
      try {
        expectation()
      } catch (error) {
        if (!(error instanceof Violation) || error.breach.strength !== 'decided') throw error
        decided ??= error
      }
    },
    end() {
      if (decided !== undefined) throw decided
    },
  }
}
