import type { Leftover } from '../model/leftover.ts'
import { conditionKey, type Journal } from './journal.ts'
import type { EventCondition, Prerequisites } from './prerequisites.ts'

/** Conditions that this run or an earlier run raised and that must be ended. */
export interface Conditions {
  /** Raises or ends a condition, and records the change in the journal. */
  readonly event: Prerequisites['event']
  /** Ends all conditions that may be active. Returns those that ended, and those that couldn't be ended. */
  end(): Promise<{ readonly ended: EventCondition[]; readonly left: Leftover[] }>
}

interface Options {
  readonly prerequisites: Pick<Prerequisites, 'event'>
  readonly journal: Pick<Journal, 'raised' | 'ended' | 'activeConditions'>
}

export const createConditions = ({ prerequisites, journal }: Options): Conditions => {
  // Conditions from a killed run may be active, even if the run was still raising them when it was killed.
  const seen = new Set(journal.activeConditions().map(conditionKey))
  const noted: Prerequisites['event'] = async ({ active, ...condition }) => {
    // The condition is recorded before it is raised, so that it is found after a crash.
    if (active) journal.raised(condition)
    const alerts = await prerequisites.event({ ...condition, active })
    if (active) seen.add(conditionKey(condition))
    else journal.ended(condition)
    return alerts
  }
  return {
    event: noted,
    async end() {
      const ended: EventCondition[] = []
      const left: Leftover[] = []
      for (const condition of journal.activeConditions()) {
        try {
          await noted({ ...condition, active: false })
          ended.push(condition)
        } catch (error) {
          // A failed cleanup must not discard the run's results. A condition that was never active doesn't have to be
          // ended.
          if (!seen.has(conditionKey(condition))) {
            journal.ended(condition)
            continue
          }
          const reason = error instanceof Error ? error.message : String(error)
          left.push({ operation: 'raiseEvent', parameters: { ...condition, active: 'false' }, reason })
        }
      }
      return { ended, left }
    },
  }
}
