import { expect, test } from 'vitest'
import { dated } from '../../test/context-over.ts'
import { changedBodies } from './changed-values.ts'

const changesOf = (operation: Parameters<typeof dated>[0], body: Parameters<typeof changedBodies>[2]) => {
  const { definition, version } = dated(operation)
  return definition.body ? changedBodies(version.validator, definition.body.schema, body) : []
}

test('changes one value at a time, flags first', () => {
  expect(changesOf('updateSnapshotRetention', { retentionUnit: 'DAYS', retentionValue: 5 })).toEqual([
    { retentionUnit: 'DAYS', retentionValue: 6 },
    { retentionUnit: 'DAYS', retentionValue: 4 },
  ])
  expect(changesOf('updateAuditingConfig', { auditFilter: '{}', enabled: true })[0]).toEqual({
    auditFilter: '{}',
    enabled: false,
  })
})

test('changes values in nested objects and arrays', () => {
  const definition = { analyzer: 'lucene.standard', mappings: { dynamic: true } }
  expect(changesOf('updateSearchIndex', { definition })[0]).toEqual({
    definition: { ...definition, mappings: { dynamic: false } },
  })
})

test('leaves out bodies that the schema rejects', () => {
  expect(changesOf('toggleAlertConfig', { enabled: true })).toEqual([{ enabled: false }])
  const smallest = changesOf('updateSnapshotRetention', { retentionUnit: 'DAYS', retentionValue: 1 })
  expect(smallest).toEqual([{ retentionUnit: 'DAYS', retentionValue: 2 }])
})
