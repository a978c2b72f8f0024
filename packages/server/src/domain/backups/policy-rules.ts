import { problem } from '../problem.ts'
import type { PolicyItem } from './backup-schemas.ts'
import { infrequencyOf } from './recurrence.ts'
import { type Retention, retentionDaysOf } from './retention.ts'

/**
 * Checks that each item retains snapshots at least as long as all more frequent items.
 *
 * @throws {Problem} `VALIDATION_ERROR` with the items that violate this rule.
 */
export function requireGrowingRetention(items: readonly PolicyItem[], pointer: string): void {
  const longestBefore = longestByInfrequency(items)
  const short = items.flatMap((item, index) => {
    const days = retentionDaysOf(item)
    return days !== undefined && days < longestBefore(item) ? [index] : []
  })
  if (short.length === 0) return
  throw problem('VALIDATION_ERROR', {
    detail: 'A policy item must retain snapshots at least as long as every more frequent policy item.',
    parameters: short.map((index) => `${pointer}/${index}/retentionValue`),
  })
}

/**
 * Checks that a policy item retains its snapshots at least as long as all more frequent items.
 *
 * @throws {Problem} `VALIDATION_ERROR` if the retention is too short.
 */
export function requireRetentionWithin(
  items: readonly PolicyItem[],
  frequencyType: string,
  retention: Retention,
): void {
  if ((retentionDaysOf(retention) ?? 0) >= longestByInfrequency(items)({ frequencyType })) return
  throw problem('VALIDATION_ERROR', {
    detail: `A ${frequencyType} snapshot must be retained at least as long as the snapshots of every more frequent policy item.`,
    parameters: ['/retentionValue'],
  })
}

/**
 * Returns a function that calculates the longest retention, in days, of all items that are more frequent than a given
 * item. The result is 0 if there are no such items. Iterates over the items only once, because a policy can have a
 * thousand items.
 */
function longestByInfrequency(
  items: readonly PolicyItem[],
): (item: Pick<PolicyItem, 'frequencyType'>) => number {
  const longest = new Map<number, number>()
  for (const item of items) {
    const own = infrequencyOf(item)
    if (own !== undefined) longest.set(own, Math.max(longest.get(own) ?? 0, retentionDaysOf(item) ?? 0))
  }
  return (item) => {
    const own = infrequencyOf(item) ?? 0
    const before = [...longest].filter(([infrequency]) => infrequency < own)
    return Math.max(0, ...before.map(([, days]) => days))
  }
}

/**
 * Checks that hourly snapshots cover the whole restore window.
 *
 * @param pointer The location of the policy items. Errors refer to this location if the request doesn't contain the
 *   restore window.
 * @throws {Problem} `VALIDATION_ERROR` if the restore window is longer than the hourly snapshots' retention.
 */
export function requireWindowWithinHourly(
  windowDays: number | undefined,
  items: readonly PolicyItem[],
  pointer?: string,
): void {
  const hourly = items.flatMap((item, index) => (infrequencyOf(item) === 0 ? [{ item, index }] : []))
  const longest = Math.max(...hourly.map(({ item }) => retentionDaysOf(item) ?? 0))
  if (windowDays === undefined || hourly.length === 0 || windowDays <= longest) return
  if (pointer === undefined) {
    throw problem('VALIDATION_ERROR', {
      detail: 'The field /restoreWindowDays must not exceed the retention period of the hourly policy item.',
      parameters: ['/restoreWindowDays'],
    })
  }
  throw problem('VALIDATION_ERROR', {
    detail: `The hourly policy item must retain snapshots for at least ${windowDays} days, which is the schedule's restore window.`,
    parameters: hourly.map(({ index }) => `${pointer}/${index}/retentionValue`),
  })
}
