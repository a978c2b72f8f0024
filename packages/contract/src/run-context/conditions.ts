import type { Leftover } from '../model/leftover.ts'
import { conditionKey, type Journal } from './journal.ts'
import type { EventCondition, Prerequisites } from './prerequisites.ts'

/** The conditions that this run or an earlier run has raised and that still have to be ended. */
export interface Conditions {
  /** Raises or ends a condition. The journal records the change. */
  readonly event: Prerequisites['event']
  /**
   * Ends all conditions that may be active. Returns the conditions that have ended and the conditions that couldn't be
   * ended.
   */
  end(): Promise<{ readonly ended: EventCondition[]; readonly left: Leftover[] }>
}

interface Options {
  readonly prerequisites: Pick<Prerequisites, 'event'>
  readonly journal: Pick<Journal, 'raised' | 'ended' | 'activeConditions'>
}

export const createConditions = ({ prerequisites, journal }: Options): Conditions => {
  // A killed run's conditions may be active, even if the run was killed while it was raising them.
  const seen = new Set(journal.activeConditions().map(conditionKey))
  const noted: Prerequisites['event'] = async ({ active, ...condition }) => {
    // Record the condition before it is raised, so that it can be found after a crash.
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
          // A failed cleanup must not discard the results of the run. A condition that was never active doesn't have to
          // be ended.
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
