import { expect, test } from 'vitest'
import { operationEntries } from './decided-operations.ts'

const date = (id: string) => ({
  id,
  generation: 'v2',
  folder: `v2/${id}`,
  mediaType: `application/vnd.svc.${id}+json`,
  status: 'current' as const,
})
const dates = ['2023-01-01', '2024-05-30', '2024-08-05'].map(date)
const entriesOf = (row: {
  request: string
  status: number
  versions?: string[]
  deprecated?: string[]
  'v1.0'?: boolean
}) => operationEntries({ because: 'It is common.', operations: { Alerts: { getAlert: row } } }, dates)

test('an operation in both generations has its request in all documents, and the reason is stated once', () => {
  const row = { request: 'GET /a/{id}', status: 200, 'v1.0': true, versions: ['2023-01-01'] }
  const [request, success] = entriesOf(row)
  expect(request).toEqual({
    key: 'decided: Operations/getAlert',
    says: 'GET /a/{id}',
    because: 'It is common.',
    strength: 'decided',
    facts: ['operation:getAlert', 'requirement:operations.method-and-path'],
    holds: { method: 'GET', path: '/a/{id}', tag: 'Alerts' },
    in: ['v1.0', 'v2'],
  })
  expect(success).toMatchObject({ says: 'Returns 200 on success', holds: { status: 200 } })
  expect(success).not.toHaveProperty('because')
})

test('an operation that was added later exists only from its first date', () => {
  expect(entriesOf({ request: 'GET /a', status: 200, versions: ['2024-05-30'] })[0]).toMatchObject({
    in: ['2024-05-30+'],
    only: true,
  })
  expect(entriesOf({ request: 'GET /a', status: 200, versions: ['2023-01-01'] })[0]).toMatchObject({
    in: ['v2'],
    only: true,
  })
})

test('each version lasts until the next, and is deprecated or not', () => {
  const versions = ['2023-01-01', '2024-08-05']
  const [, , ...entries] = entriesOf({ request: 'GET /a', status: 200, versions, deprecated: ['2023-01-01'] })
  expect(
    entries.map(({ key, facts, holds, in: documents }) => [
      key.split('/').slice(2).join('/'),
      facts?.[1],
      holds,
      documents,
    ]),
  ).toEqual([
    [
      '2023-01-01',
      'requirement:versions.first-date-served',
      { mediaType: 'application/vnd.svc.2023-01-01+json' },
      ['2023-01-01', '2024-05-30'],
    ],
    [
      '2023-01-01/deprecated',
      'requirement:versions.deprecated-carries-deprecation',
      { deprecated: true },
      ['2023-01-01', '2024-05-30'],
    ],
    [
      '2024-08-05',
      'requirement:versions.next-date-served',
      { mediaType: 'application/vnd.svc.2024-08-05+json' },
      ['2024-08-05'],
    ],
    [
      '2024-08-05/not-deprecated',
      'requirement:versions.current-carries-no-deprecation',
      { deprecated: false },
      ['2024-08-05'],
    ],
  ])
})
