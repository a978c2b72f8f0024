import { errorCodes } from '@svc-admin/types'
import type { Exchange } from '../http/exchange.ts'
import { NoResponse } from '../http/transport.ts'
import type { Cell } from '../model/api.ts'
import { NotApplicable, NotArranged, Untestable } from '../model/signals.ts'
import type { RunContext } from '../run-context/run-context.ts'

/** Returns the target's time, or the kit's time if the target's time is unknown. */
const timeOf = async ({ prerequisites }: RunContext): Promise<Date> => {
  try {
    const now = new Date(await prerequisites.now())
    return Number.isNaN(now.getTime()) ? new Date() : now
  } catch (error) {
    if (error instanceof NotArranged || error instanceof NoResponse) return new Date()
    throw error
  }
}

/**
 * Returns the target's date in the format of version dates. The date is read only once, because the clock never moves
 * back.
 */
export const targetDay = (context: RunContext): Promise<string> =>
  context.once('day of the target', async () => (await timeOf(context)).toISOString().slice(0, 10))

/**
 * @throws Untestable if the date is later than the target's current date. The target may reject such a date.
 */
export const expectPast = async (context: RunContext, date: string): Promise<void> => {
  const day = await targetDay(context)
  if (date > day) throw new Untestable(`a target whose clock is at ${date} or later (it is at ${day})`)
}

/** Expects the version under test to have been released by the target's current date. v1.0 has no date. */
export const expectReleased = async (context: RunContext, { version }: Cell): Promise<void> => {
  if (version.generation === 'v2') await expectPast(context, version.id)
}

/** @throws NotApplicable if a response shows that the target removed the operation after its sunset date. */
export const expectNotWithdrawn = async (
  context: RunContext,
  { row }: Cell,
  { response }: Exchange,
): Promise<void> => {
  const sunset = row.deprecation?.sunset
  if (sunset === undefined || response.status !== errorCodes.VERSION_GONE.status) return
  if (Date.parse(`${sunset}T23:59:59Z`) < (await timeOf(context)).getTime())
    throw new NotApplicable('the target no longer supports the operation after its sunset date')
}
