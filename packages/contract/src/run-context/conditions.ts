import type { Leftover } from '../model/leftover.ts'
import { conditionKey, type Journal } from './journal.ts'
import type { EventCondition, Prerequisites } from './prerequisites.ts'

/** Conditions that this run, or an earlier run in its journal, raised and must end. */
export interface Conditions {
  /** Raises or ends a condition, and records it in the journal. */
  readonly event: Prerequisites['event']
  /** Ends all conditions that may be active. Returns those that ended and those that could not be ended. */
  end(): Promise<{ readonly ended: EventCondition[]; readonly left: Leftover[] }>
}

interface Options {
  readonly prerequisites: Pick<Prerequisites, 'event'>
  readonly journal: Pick<Journal, 'raised' | 'ended' | 'activeConditions'>
}

export const createConditions = ({ prerequisites, journal }: Options): Conditions => {
  // Conditions that a killed run had begun to raise may be active.
  const seen = new Set(journal.activeConditions().map(conditionKey))
  const noted: Prerequisites['event'] = async ({ active, ...condition }) => {
    // Recorded before it is raised, so it is found after a crash.
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
          // Failures during cleanup must not lose the run's results. A condition that never became active need not end.
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
