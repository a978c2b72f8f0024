import type { Left } from './journal.ts'
import type { Prerequisites } from './prerequisites.ts'

type Condition = Omit<Parameters<Prerequisites['event']>[0], 'active'>

/** Conditions that a run has raised on the target, and that nobody else would end. */
export interface Conditions {
  /** Raises or ends one, and remembers those that hold. */
  readonly event: Prerequisites['event']
  /** Ends those that hold; returns the ones that it could not end. */
  end(): Promise<Left[]>
}

export const keepConditions = ({ event }: Pick<Prerequisites, 'event'>): Conditions => {
  const holding = new Map<string, Condition>()
  const raised = new Set<string>()
  const keyOf = (condition: Condition): string => JSON.stringify(Object.entries(condition).sort())
  const noted: Prerequisites['event'] = async ({ active, ...condition }) => {
    const key = keyOf(condition)
    // It may have begun, whatever comes of it.
    if (active) holding.set(key, condition)
    const alerts = await event({ ...condition, active })
    if (active) raised.add(key)
    else holding.delete(key)
    return alerts
  }
  return {
    event: noted,
    async end() {
      const left: Left[] = []
      for (const condition of [...holding.values()]) {
        try {
          await noted({ ...condition, active: false })
        } catch (error) {
          // A run has results to be told, whatever goes wrong at its end. What was never seen to begin is not left.
          if (!raised.has(keyOf(condition))) continue
          const reason = error instanceof Error ? error.message : String(error)
          left.push({ operation: 'raiseEvent', parameters: { ...condition, active: 'false' }, reason })
        }
      }
      return left
    },
  }
}
