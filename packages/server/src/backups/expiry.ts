import { setImmediate as othersTurn } from 'node:timers/promises'
import { Stored } from '../domain/stored.ts'
import { timestamp } from '../domain/timestamp.ts'
import type { Transaction } from '../persistence/database.ts'
import { type Snapshot, snapshots } from '../persistence/snapshots.ts'
import { settleLimit } from '../world/clock.ts'
import type { World } from '../world/world.ts'
import { failReadersOf } from './fail-jobs.ts'

/**
 * The number of snapshots to remove per transaction. The limit is low, because an open transaction blocks other
 * requests on SQLite.
 */
const batch = 500

/** Removes a snapshot and marks unfinished jobs that use the snapshot as failed. */
export async function dropSnapshot(transaction: Transaction, snapshot: Snapshot, now: number): Promise<void> {
  await snapshots.remove(transaction, snapshot.id)
  await failReadersOf(transaction, snapshot, 'removed', now)
}

/** Changes a snapshot's expiry. If the new expiry is in the past, removes the snapshot immediately. */
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
 * Removes a project's expired snapshots before a request reads jobs that use these snapshots. Unfinished jobs fail when
 * their snapshot expires.
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

/** Removes expired snapshots in all projects. */
export async function settleEveryExpiry(world: World, now: number): Promise<void> {
  let before: string | undefined
  for (;;) {
    const groupId = await snapshots.groupOfExpired(world.database, now)
    // If the same project is returned twice in a row, the world was restored to an earlier time.
    if (groupId === undefined || groupId === before) return
    await settleExpiry(world, groupId, now)
    before = groupId
  }
}
