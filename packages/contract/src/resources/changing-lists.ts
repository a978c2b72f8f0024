import type { Check, Rule } from '../check/rule.ts'
import type { Trial } from '../check/trial.ts'
import { Untestable, Violation } from '../model/signals.ts'
import { idOf, whole } from './lists.ts'

const maxAttempts = 3

/** Returns whether other clients may change the project during the run. */
const isShared = ({ context }: Trial): boolean =>
  context.demo.names.size === 0 && context.target.lentAlone !== true

const idsOf = async (trial: Trial): Promise<string> => (await whole(trial)).items.map(idOf).sort().join()

/**
 * Runs a failed check again if other clients may change the list. The failure counts only if the list contains the same
 * items before and after the check.
 */
const retryAfterChanges =
  (check: Check): Check =>
  async (trial) => {
    const failed = async (): Promise<Violation | undefined> => {
      try {
        await check(trial)
      } catch (error) {
        if (error instanceof Violation) return error
        throw error
      }
      return undefined
    }
    const first = await failed()
    if (first === undefined) return
    if (!isShared(trial)) throw first
    for (let tries = 1; tries <= maxAttempts; tries += 1) {
      const before = await idsOf(trial)
      const again = await failed()
      if (again === undefined) return
      if ((await idsOf(trial)) === before) throw again
    }
    throw new Untestable('a list that no other client changes during the check')
  }

/** Prevents a rule that compares several reads of a list from failing because another client changed the list. */
export const retriedIfListChanges = (rule: Rule): Rule => ({
  ...rule,
  variants: (cell, limit) =>
    rule.variants(cell, limit).map(({ label, check }) => ({ label, check: retryAfterChanges(check) })),
})
