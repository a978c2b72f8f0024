import { setImmediate as othersTurn } from 'node:timers/promises'
import { Stored } from '../domain/stored.ts'
import { timestamp } from '../domain/timestamp.ts'
import type { Transaction } from '../persistence/database.ts'
import { type Snapshot, snapshots } from '../persistence/snapshots.ts'
import { settleLimit } from '../world/clock.ts'
import type { World } from '../world/world.ts'
import { failReadersOf } from './fail-jobs.ts'

/** How many snapshots one transaction forgets: others wait for it on SQLite. */
const batch = 500

/** Removes a snapshot, and lets fail what still reads it. */
export async function dropSnapshot(transaction: Transaction, snapshot: Snapshot, now: number): Promise<void> {
  await snapshots.remove(transaction, snapshot.id)
  await failReadersOf(transaction, snapshot, 'removed', now)
}

/** Keeps a snapshot with another expiry. One that is past removes it. */
export async function keepUntil(
  transaction: Transaction,
  snapshot: Snapshot,
  expiresAt: number,
  now: number,
): Promise<Snapshot> {
  const document = { ...snapshot.document.value(), expiresAt: timestamp(expiresAt) }
  const after = { ...snapshot, expiresAt, document: Stored.of(document) }
  if (expiresAt > now) await snapshots.put(transaction, after)
  else await dropSnapshot(transaction, after, now)
  return after
}

/**
 * Forgets the snapshots of a project that have expired by now, before anybody looks at what read them: that has failed
 * at the moment of the expiry, unless it was over by then.
 */
export async function settleExpiry(world: World, groupId: string, now: number): Promise<void> {
  for (let left = batch; left === batch; await othersTurn()) {
    left = await world.database.transaction(async (transaction) => {
      const until = await settleLimit(world.clock, now, transaction)
      const gone = await snapshots.expired(transaction, groupId, until, batch)
      for (const snapshot of gone) {
        await failReadersOf(transaction, snapshot, 'expired', snapshot.expiresAt)
        await snapshots.remove(transaction, snapshot.id)
      }
      return gone.length
    })
  }
}

/** The same for every project. */
export async function settleEveryExpiry(world: World, now: number): Promise<void> {
  let before: string | undefined
  for (;;) {
    const groupId = await snapshots.groupOfExpired(world.database, now)
    // Asked for the same one twice: the world was put back to before that.
    if (groupId === undefined || groupId === before) return
    await settleExpiry(world, groupId, now)
    before = groupId
  }
}
