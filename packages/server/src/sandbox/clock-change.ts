import { settleEverything } from '../alerting/settle.ts'
import { settleEveryExpiry } from '../backups/expiry.ts'
import { settleEveryBackup, settleEveryPolicy } from '../backups/protection.ts'
import { earliestTime, latestClockTime, timeAfter, timestamp } from '../domain/timestamp.ts'
import type { Transaction } from '../persistence/database.ts'
import { rewind } from '../persistence/rewind.ts'
import type { ClockChange } from '../world/clock.ts'
import { voidNonces, type World } from '../world/world.ts'
import { ControlInputError, type Fields, maybeNumber, maybeText, time } from './fields.ts'
import { settleEveryEnd } from './settle-ends.ts'

/**
 * Parses a clock change from a request body, `{now?, advanceSeconds?, rate?}`.
 *
 * @throws {ControlInputError} if a field is invalid.
 */
export function clockChange(fields: Fields): ClockChange {
  const now = maybeText(fields, 'now')
  const advanceSeconds = maybeNumber(fields, 'advanceSeconds')
  const rate = maybeNumber(fields, 'rate')
  if (rate !== undefined && rate < 0) throw new ControlInputError("'rate' must not be negative")
  return {
    ...(now === undefined ? {} : { now: time(now, 'now') }),
    ...(advanceSeconds === undefined ? {} : { advanceSeconds }),
    ...(rate === undefined ? {} : { rate }),
  }
}

/**
 * Sets the clock of a new world that has no history yet.
 *
 * @throws {ControlInputError} if the time is outside the clock's range.
 */
export async function startClock(world: World, change: ClockChange, within?: Transaction): Promise<void> {
  requireWithin(change, await world.clock.now(within))
  await world.clock.set(change, within)
}

/**
 * Calculates the time to which a change sets the clock.
 *
 * @throws {ControlInputError} if the time is outside the clock's range.
 */
function requireWithin({ now, advanceSeconds = 0 }: ClockChange, before: number): number {
  const to = timeAfter(now ?? before, advanceSeconds * 1000)
  if (to >= earliestTime && to <= latestClockTime) return to
  throw new ControlInputError(
    `The clock must be between ${timestamp(earliestTime)} and ${timestamp(latestClockTime)}`,
  )
}

/**
 * Sets a world's clock. If the clock is set back, everything that is due in the future is rescheduled.
 *
 * @throws {ControlInputError} if the time is outside the clock's range.
 */
export async function moveClock(world: World, change: ClockChange): Promise<void> {
  const { clock, database } = world
  const { rate } = change
  const before = await clock.read()
  requireWithin(change, before.now)
  const isJump = change.now !== undefined || change.advanceSeconds !== undefined
  // Set a slower rate first, because a fast clock could advance by years during the steps below.
  if (rate !== undefined && (!isJump || rate < before.rate)) {
    await database.transaction((transaction) => clock.set({ rate }, transaction))
  }
  if (isJump) await jump(world, change)
}

async function jump(world: World, change: ClockChange): Promise<void> {
  // Use the same time in all steps. With a fast clock, more work would otherwise become due during each step.
  const shown = await world.clock.now()
  const goesBack = requireWithin(change, shown) < shown
  // First process everything that is due before the jump.
  // The jump itself sends only some of the due notifications and takes only some of the due snapshots.
  // Events before the jump must not be skipped.
  await settleEverything(world, shown)
  await settleEveryBackup(world, shown)
  if (goesBack) {
    await settleEveryPolicy(world, shown)
    await settleEveryExpiry(world, shown)
    await settleEveryEnd(world, shown)
  }
  // Make both changes in one transaction.
  // Otherwise, a request between the two changes could start a lifecycle in the future.
  const whenBack = await world.database.transaction(async (transaction) => {
    const before = await world.clock.now(transaction)
    const to = requireWithin(change, before)
    await world.clock.set({ ...change, jumpedTo: to }, transaction)
    if (to >= before) return undefined
    await rewind(transaction, to, world.tokenLifetime)
    return (await world.sandbox?.transitions.rewind(to, transaction)) ?? (() => {})
  })
  if (whenBack === undefined) return
  whenBack()
  // Invalidate all nonces. Otherwise, used nonces would become valid again after the clock is set back.
  voidNonces(world)
  world.principals.clear()
}
