import type { ExpressionBuilder } from 'kysely'
import type { Session, Transaction } from './database.ts'
import type { Tables } from './schema.ts'
import { type Slots, statement, unplanned } from './statement.ts'

export type DeliveryOutcome = 'pending' | 'delivered' | 'failed'

export interface Attempt {
  readonly at: string
  readonly status?: number
  readonly error?: string
}

/** A delivery that is due for its next attempt. */
export interface DueDelivery {
  readonly id: string
  readonly groupId: string
  readonly configId: string
  readonly notifierId: string
  readonly body: string
  /** The number of attempts so far. */
  readonly attempts: number
}

export interface DeliveryState {
  readonly outcome: DeliveryOutcome
  readonly attempts: number
  readonly dueAt: number | undefined
  readonly last: Attempt | undefined
}

type Claim = { now: number; real: number; limit: number }
type Lease = { id: string; attempts: number; until: number }

const insert = statement(
  (
    db,
    $: Slots<{
      id: string
      groupId: string
      configId: string
      notifierId: string
      body: string
      dueAt: number
    }>,
  ) =>
    db.insertInto('webhook_deliveries').values({
      id: $('id'),
      group_id: $('groupId'),
      config_id: $('configId'),
      notifier_id: $('notifierId'),
      body: $('body'),
      attempts: 0,
      due_at: $('dueAt'),
      leased_until: 0,
      outcome: 'pending',
      last: '',
    }),
)
/** While an alert is acknowledged, its pending deliveries are postponed. */
const isSilenced = ($: Slots<Claim>, eb: ExpressionBuilder<Tables, 'webhook_deliveries'>) =>
  eb.exists(
    eb
      .selectFrom('outbox')
      .innerJoin('alerts', 'alerts.id', 'outbox.alert_id')
      .select('alerts.id')
      .whereRef('outbox.id', '=', 'webhook_deliveries.id')
      .where('alerts.acknowledged_until', '>', $('now')),
  )
const due = statement((db, $: Slots<Claim>, dialect) =>
  db
    .selectFrom('webhook_deliveries')
    .select([
      'id',
      'group_id as groupId',
      'config_id as configId',
      'notifier_id as notifierId',
      'body',
      'attempts',
    ])
    .where('due_at', '<=', $('now'))
    .where('leased_until', '<=', $('real'))
    .where((eb) => eb.not(isSilenced($, eb)))
    .orderBy('due_at')
    .orderBy('id')
    .limit($('limit'))
    // Skip locked rows, so that concurrent processes claim different deliveries.
    .$if(dialect.locksRows, (query) => query.forUpdate().skipLocked()),
)
const lease = statement((db, $: Slots<Lease>) =>
  db
    .updateTable('webhook_deliveries')
    .set({ leased_until: $('until'), attempts: $('attempts') })
    .where('id', '=', $('id')),
)
/**
 * Stores the result of an attempt. The number of attempts serves as a fencing token, so the statement has no effect if
 * another process has made an attempt in the meantime.
 */
const settle = statement(
  (
    db,
    $: Slots<{
      id: string
      attempts: number
      made: number
      dueAt: number | null
      outcome: string
      last: string
    }>,
  ) =>
    db
      .updateTable('webhook_deliveries')
      .set({
        due_at: $('dueAt'),
        outcome: $('outcome'),
        last: $('last'),
        attempts: $('made'),
        leased_until: 0,
      })
      .where('id', '=', $('id'))
      .where('attempts', '=', $('attempts')),
)
const giveBack = statement((db, _: Slots<Record<never, never>>) =>
  db
    .updateTable('webhook_deliveries')
    .set({ leased_until: 0 })
    .where('due_at', '<=', Number.MAX_SAFE_INTEGER),
)
const abandon = statement((db, $: Slots<{ last: string }>) =>
  db
    .updateTable('webhook_deliveries')
    .set({ due_at: null, outcome: 'failed', last: $('last') })
    .where('due_at', '<=', Number.MAX_SAFE_INTEGER),
)
const state = statement((db, $: Slots<{ id: string }>) =>
  db
    .selectFrom('webhook_deliveries')
    .select(['outcome', 'attempts', 'due_at as dueAt', 'last'])
    .where('id', '=', $('id')),
)

const queue = unplanned((db, _: Slots<Record<never, never>>) =>
  db
    .selectFrom('webhook_deliveries')
    .innerJoin('outbox', 'outbox.id', 'webhook_deliveries.id')
    .select((eb) => [
      eb.fn.countAll<number>().as('length'),
      eb.fn.min<number | null>('outbox.created_at').as('oldest'),
    ])
    .where('webhook_deliveries.due_at', 'is not', null),
)

/** Reads and writes webhook deliveries. A delivery is pending until it succeeds or is dropped. */
export const deliveries = {
  async insert(session: Session, delivery: Omit<DueDelivery, 'attempts'>, dueAt: number): Promise<void> {
    await session.all(insert, { ...delivery, dueAt })
  },

  /** Claims due deliveries for this process until the given time, oldest first. */
  async claim(transaction: Transaction, claim: Claim, until: number): Promise<DueDelivery[]> {
    const found = await transaction.all(due, claim)
    for (const { id, attempts } of found) {
      await transaction.all(lease, { id, attempts: attempts + 1, until })
    }
    return found.map((delivery) => ({ ...delivery }))
  },

  /** Stores the result of an attempt, unless another process has made an attempt in the meantime. */
  async settle(
    session: Session,
    { id, attempts }: { readonly id: string; readonly attempts: number },
    outcome: DeliveryOutcome,
    last: Attempt,
    dueAt: number | undefined,
  ): Promise<void> {
    const came = { outcome, last: JSON.stringify(last), dueAt: dueAt ?? null }
    await session.all(settle, { id, attempts, made: attempts, ...came })
  },

  /** Drops a claimed delivery without another attempt, unless another process has made an attempt in the meantime. */
  async giveUp(
    session: Session,
    { id, attempts }: { readonly id: string; readonly attempts: number },
    last: Attempt,
  ): Promise<void> {
    const came = { outcome: 'failed', last: JSON.stringify(last), dueAt: null }
    await session.all(settle, { id, attempts, made: attempts - 1, ...came })
  },

  /**
   * Releases the claims of processes that were killed. Call this method only if no other process is using the database.
   */
  async giveBack(session: Session): Promise<void> {
    await session.all(giveBack, {})
  },

  /** Drops all pending deliveries. `last` contains the reason for dropping them. */
  async abandon(session: Session, last: Attempt): Promise<void> {
    await session.all(abandon, { last: JSON.stringify(last) })
  },

  /** Returns the number of pending deliveries and the creation time of the oldest one. */
  async queue(session: Session): Promise<{ readonly length: number; readonly oldest: number | undefined }> {
    const row = await session.one(queue, {})
    return { length: Number(row?.length ?? 0), oldest: row?.oldest == null ? undefined : Number(row.oldest) }
  },

  async state(session: Session, id: string): Promise<DeliveryState | undefined> {
    const row = await session.one(state, { id })
    if (!row) return undefined
    const outcome = row.outcome === 'delivered' || row.outcome === 'failed' ? row.outcome : 'pending'
    const last: Attempt | undefined = row.last === '' ? undefined : JSON.parse(row.last)
    return { outcome, attempts: row.attempts, dueAt: row.dueAt ?? undefined, last }
  },
}
