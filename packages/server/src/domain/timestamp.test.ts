import { expect, it } from 'vitest'
import { advance } from './alert.ts'
import { nextSnapshotAt } from './backups/due-snapshots.ts'
import { expiryAfter, extended } from './backups/retention.ts'
import { workingSince } from './cloud-migration/live-migration.ts'
import { timeAfter } from './timestamp.ts'

it('times are rounded to the nearest millisecond, even if binary fractions fall short', () => {
  expect([0.4, 0.5, 1.001 * 1000, 0.57 * 1000, -0.6].map((by) => timeAfter(1000, by))).toEqual([
    1000, 1001, 2001, 1570, 999,
  ])
})

const fraction = 0.123456789
const alert = {
  status: 'TRACKING',
  since: 1000,
  acknowledgedUntil: undefined,
  silentUntil: undefined,
  targets: [{ notifierId: 'n', typeName: 'SMS', delayMin: fraction, intervalMin: 1 + fraction }],
}
const scheduled = (frequencyType: string, referenceMinuteOfHour: number) =>
  nextSnapshotAt(
    {
      autoExportEnabled: false,
      clusterId: '',
      clusterName: '',
      referenceMinuteOfHour,
      policies: [
        {
          policyItems: [
            { frequencyType, frequencyInterval: 1 + fraction, retentionUnit: 'days', retentionValue: 1 },
          ],
        },
      ],
    },
    1_772_366_400_000,
  )

it.each([
  ['a delay', () => advance(alert, 1000).dueAt],
  ['an interval', () => advance(alert, 60_000).dueAt],
  ['an hourly rhythm', () => scheduled('hourly', 0)],
  ['a daily rhythm', () => scheduled('daily', 0)],
  ['a weekly rhythm', () => scheduled('weekly', 0)],
  ['a time of the day', () => scheduled('monthly', fraction)],
  ['a retention in days', () => expiryAfter(0, { retentionUnit: 'days', retentionValue: fraction })],
  ['a retention in weeks', () => expiryAfter(0, { retentionUnit: 'weeks', retentionValue: fraction })],
  ['additional days', () => extended(0, fraction)],
  ['a lag', () => workingSince(1 + fraction, 1_772_366_400_000)],
])('%s with fractions gives a whole number of milliseconds', (_, moment) => {
  expect(moment()).toEqual(expect.any(Number))
  expect(Number(moment()) % 1).toBe(0)
})
