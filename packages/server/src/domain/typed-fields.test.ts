import { expect, it } from 'vitest'
import type { PolicyItem, ScheduleDocument } from './backups/backup-schemas.ts'
import { itemsOf, nextSnapshotAt, snapshotsAt } from './backups/due-snapshots.ts'
import { infrequencyOf, isLessFrequent, sameFrequency } from './backups/recurrence.ts'
import { expiryAfter, retentionDaysOf } from './backups/retention.ts'
import { type Matcher, matches } from './matchers.ts'
import { synonymNames } from './search/index-definition.ts'
import { objectsIn } from './typed-fields.ts'

/** Parses JSON from a request, without checking that it has the expected type. */
const sent = <T>(json: string): T => JSON.parse(json)

const wrong = ['"abc"', '5', '-1', '2.5', '1e300', 'null', 'true', '[]', '{}']

it.each(wrong)('fields that allow any type count as absent if their type is unusual: %s', (value) => {
  const item = sent<PolicyItem>(
    `{"frequencyType":${value},"frequencyInterval":${value},"retentionUnit":${value},"retentionValue":${value}}`,
  )
  expect([infrequencyOf(item), retentionDaysOf(item), isLessFrequent(item, {})]).toEqual([
    undefined,
    undefined,
    false,
  ])
  expect(sameFrequency(item, { frequencyType: 'daily' })).toBe(false)
  expect(expiryAfter(0, item)).toBe(expiryAfter(0, {}))
  const matcher = `[${value},{"fieldName":"PORT","operator":${value},"value":1},{"fieldName":${value},"operator":"EQUALS","value":"1"}]`
  const all = objectsIn(sent<Matcher[]>(matcher)).every((one) => matches(one, {}, 0))
  expect(all).toBe(value !== '"abc"')
  expect(synonymNames(sent(`{"synonyms":[${value},{"name":${value}}]}`))).toEqual(
    value === '"abc"' ? ['abc'] : [],
  )
})

it.each(wrong)('lists that allow any type count as empty if they are not arrays: %s', (value) => {
  const schedule = sent<ScheduleDocument>(
    `{"policies":[${value},{"policyItems":${value}}],"extraRetentionSettings":${value}}`,
  )
  expect([itemsOf(schedule), nextSnapshotAt(schedule, 0)]).toEqual([[], undefined])
  const kept = sent<ScheduleDocument>(
    `{"policies":[{"policyItems":[{"frequencyType":"daily","frequencyInterval":1,"retentionUnit":"days","retentionValue":${value}}]}],"extraRetentionSettings":[{"frequencyType":"daily","retentionDays":${value}}]}`,
  )
  for (const { expiresAt } of snapshotsAt(kept, [0])) expect(expiresAt).toBeGreaterThanOrEqual(0)
})
