import { NoResponse } from '../http/transport.ts'
import type { Cell } from '../model/api.ts'
import { NotArranged, Untestable } from '../model/signals.ts'
import type { RunContext } from '../run-context/run-context.ts'

/** If the target's time is unknown, the kit's time is used. */
const timeOf = async ({ prerequisites }: RunContext): Promise<Date> => {
  try {
    const now = new Date(await prerequisites.now())
    return Number.isNaN(now.getTime()) ? new Date() : now
  } catch (error) {
    if (error instanceof NotArranged || error instanceof NoResponse) return new Date()
    throw error
  }
}

/** The target's date when it was first read, in the format of version dates. The clock only moves forward. */
export const targetDay = (context: RunContext): Promise<string> =>
  context.once('day of the target', async () => (await timeOf(context)).toISOString().slice(0, 10))

/** @throws Untestable if the date is after the target's current date, because the target may reject it. */
export const expectPast = async (context: RunContext, date: string): Promise<void> => {
  const day = await targetDay(context)
  if (date > day) throw new Untestable(`a target whose clock is at ${date} or later (it is at ${day})`)
}

/** Expects a cell's version to have been released by the target's current date. v1.0 has no date. */
export const expectReleased = async (context: RunContext, { version }: Cell): Promise<void> => {
  if (version.generation === 'v2') await expectPast(context, version.id)
}
