import { conditionKey, type Journal, type Leftover } from './journal.ts'
import type { EventCondition, Prerequisites } from './prerequisites.ts'

/** Conditions that a run has raised on the target, or an earlier one of its journal, and that nobody else would end. */
export interface Conditions {
  /** Raises or ends one, and writes down those that may hold. */
  readonly event: Prerequisites['event']
  /** Ends those that may hold; returns the ones that are over now, and those that it could not end. */
  end(): Promise<{ readonly ended: EventCondition[]; readonly left: Leftover[] }>
}

interface Options {
  readonly prerequisites: Pick<Prerequisites, 'event'>
  readonly journal: Pick<Journal, 'raised' | 'ended' | 'activeConditions'>
}

export const createConditions = ({ prerequisites, journal }: Options): Conditions => {
  // Of what a run that was killed had begun to raise, nobody can say that it was not.
  const seen = new Set(journal.activeConditions().map(conditionKey))
  const noted: Prerequisites['event'] = async ({ active, ...condition }) => {
    // Written down before it is there, so that it is found after a crash.
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
          // A run has results to be told, whatever goes wrong at its end. What was never seen to begin is not left.
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
