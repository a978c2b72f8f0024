import { sql } from 'kysely'
import type { Database } from './database.ts'
import { type Slots, statement } from './statement.ts'

interface Take extends Record<string, string | number> {
  name: string
  now: number
  /** Windows that started before this are over. */
  oldest: number
  /** Windows that start after this were made before the clock was set back. */
  latest: number
}

/** One statement, so that two processes cannot both take the last place. */
const take = statement((db, $: Slots<Take>) => {
  // A clock set back would leave a window in the future, which would not end for long: it counts as over. One that
  // starts a little later than now is that of a request which overtook this one.
  const running = sql`rate_windows.started_at > ${$('oldest')} and rate_windows.started_at <= ${$('latest')}`
  return db
    .insertInto('rate_windows')
    .values({ name: $('name'), started_at: $('now'), count: 1 })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({
        started_at: sql<number>`case when ${running} then rate_windows.started_at else ${$('now')} end`,
        count: sql<number>`case when ${running} then rate_windows.count + 1 else 1 end`,
      }),
    )
    .returning(['started_at as startedAt', 'count'])
})
const drop = statement((db, $: Slots<{ oldest: number }>) =>
  db.deleteFrom('rate_windows').where('started_at', '<=', $('oldest')),
)

/** How much of something may happen in a time. */
export interface RateLimit {
  readonly maximum: number
  readonly windowSeconds: number
}

/** Counters of what happened lately, shared by every process. */
export const rateWindows = {
  /** Counts one more under a name. Answers the seconds until it may happen again, or undefined if it may now. */
  async take(database: Database, name: string, limit: RateLimit, now: number): Promise<number | undefined> {
    const length = limit.windowSeconds * 1000
    const oldest = now - length
    const window = await database.one(take, { name, now, oldest, latest: now + length })
    // The first of a window clears away those of others that are over.
    if (window?.count === 1) await database.all(drop, { oldest })
    if (!window || window.count <= limit.maximum) return undefined
    return Math.max(1, Math.ceil((window.startedAt + length - now) / 1000))
  },
}
