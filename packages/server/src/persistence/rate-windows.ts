import { sql } from 'kysely'
import type { Database } from './database.ts'
import { type Slots, statement } from './statement.ts'

interface Take extends Record<string, string | number> {
  name: string
  now: number
  /** Time windows that started at or before `oldest` have ended. */
  oldest: number
  /** Time windows that start after `latest` were created before the clock was set back. */
  latest: number
}

/**
 * Counts an event in a single statement. Otherwise, two processes could both accept an event when the limit allows only
 * one more.
 */
const take = statement((db, $: Slots<Take>) => {
  // If the clock was set back, a time window may start in the future.
  // Treat such a window as ended, because it would otherwise block callers for a long time.
  // A window that starts only slightly in the future was created by a concurrent request that was faster.
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

/** The maximum number of events per time window. */
export interface RateLimit {
  readonly maximum: number
  readonly windowSeconds: number
}

/** Counts recent events. All processes share the counts. */
export const rateWindows = {
  /** Counts an event. If the limit is exceeded, returns the number of seconds to wait. Otherwise, returns undefined. */
  async take(database: Database, name: string, limit: RateLimit, now: number): Promise<number | undefined> {
    const length = limit.windowSeconds * 1000
    const oldest = now - length
    const window = await database.one(take, { name, now, oldest, latest: now + length })
    // When a window starts, delete all windows that have ended.
    if (window?.count === 1) await database.all(drop, { oldest })
    if (!window || window.count <= limit.maximum) return undefined
    return Math.max(1, Math.ceil((window.startedAt + length - now) / 1000))
  },
}
