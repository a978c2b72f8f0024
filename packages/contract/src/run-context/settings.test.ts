import { operations } from '@svc-admin/types'
import { expect, test } from 'vitest'
import { loadApi } from '../model/api.ts'
import { changeBack, differences, isProvided, isUnset, settingAt } from './settings.ts'

const api = loadApi()
const cellOf = (id: string, version: string) => {
  const cell = api.cells.find((one) => one.operation.id === id && one.version.id === version)
  if (cell === undefined) throw new TypeError(`there is no ${id} in ${version}`)
  return cell
}

test('a setting can be read and changed at one path, and emptied if deleting it has that effect', () => {
  expect(settingAt(operations.getCustomDns.path)).toEqual({ read: 'getCustomDns', change: 'updateCustomDns' })
  expect(settingAt(operations.getBackupSchedule.path)).toEqual({
    read: 'getBackupSchedule',
    change: 'updateBackupSchedule',
    empty: 'deleteBackupSchedules',
  })
  // A project has several alert configurations. Deleting a configuration wouldn't restore anything.
  expect(settingAt(operations.getAlertConfig.path)).not.toHaveProperty('empty')
  expect(settingAt(operations.listAlerts.path)).toBeUndefined()
})

test("resources that the target file names are provided, and so are alerts, which it can't name", () => {
  const target = {
    baseUrl: 'http://x',
    roles: {},
    things: { groupId: 'g', 'getSnapshot.snapshotId': 's' },
    clusters: [{ name: 'c', tier: 'M10' }],
  }
  expect(isProvided(target, { groupId: 'g', clusterName: 'c', snapshotId: 's' })).toBe(true)
  expect(isProvided(target, { groupId: 'g', alertId: 'any' })).toBe(true)
  expect(isProvided(target, { groupId: 'g', clusterName: 'c-1' })).toBe(false)
  expect(isProvided(target, { groupId: 'other', alertId: 'any' })).toBe(false)
})

test('restoring sends the fields that differ and that requests allow', () => {
  const cell = cellOf('updateBackupSchedule', '2024-08-05')
  const found = {
    clusterId: 'x',
    referenceHourOfDay: 2,
    restoreWindowDays: 7,
    nextSnapshot: 'then',
    policies: [],
  }
  const now = { ...found, referenceHourOfDay: 5, nextSnapshot: 'later', copySettings: [{ regionName: 'R' }] }
  expect(changeBack(cell, found, now)).toEqual({ referenceHourOfDay: 2, copySettings: [] })
  expect(differences(cell, found, now)).toEqual(['copySettings', 'referenceHourOfDay'])
  expect(differences(cell, found, { ...found, nextSnapshot: 'later' })).toEqual([])
})

test('a setting that is replaced as a whole is sent as a whole', () => {
  const cell = cellOf('updateSearchAnalyzers', 'v1.0')
  const found = [{ name: 'one', tokenizer: { type: 'standard' } }]
  expect(changeBack(cell, found, [])).toEqual(found)
  expect(differences(cell, found, [])).toHaveLength(1)
  expect(differences(cell, found, [{ tokenizer: { type: 'standard' }, name: 'one' }])).toEqual([])
})

test.each(['v1.0', '2023-01-01', '2024-05-30'])(
  'restores an unacknowledged alert with a time in the past, in %s',
  (version) => {
    const cell = cellOf('acknowledgeAlert', version)
    const found = { id: 'a', status: 'OPEN', created: '2025-11-18T09:24:51Z' }
    const now = { ...found, acknowledgedUntil: '2126-01-01T00:00:00Z', acknowledgementComment: 'x' }
    expect(changeBack(cell, found, now)).toEqual({ acknowledgedUntil: found.created })
    const before = { ...found, acknowledgedUntil: '2027-01-01T00:00:00Z' }
    expect(changeBack(cell, before, now)).toEqual({ acknowledgedUntil: before.acknowledgedUntil })
  },
)

test('a setting that is off and empty is unset', () => {
  const cell = cellOf('updateBackupSchedule', '2024-08-05')
  expect(isUnset(cell, { clusterName: 'c', autoExportEnabled: false, policies: [] })).toBe(true)
  expect(isUnset(cell, { clusterName: 'c', autoExportEnabled: false, policies: [{ policyItems: [] }] })).toBe(
    false,
  )
  expect(isUnset(cell, { clusterName: 'c', referenceHourOfDay: 0, policies: [] })).toBe(false)
})
