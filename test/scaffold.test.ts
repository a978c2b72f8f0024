import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { Checkout, Refusal } from '../scripts/new/change.ts'
import { planDate } from '../scripts/new/date.ts'
import { indexedPaths, withPath } from '../scripts/new/index-lines.ts'
import { type OperationAnswers, planOperation } from '../scripts/new/operation.ts'
import { planRequirement } from '../scripts/new/requirement.ts'
import { newestDate } from '../scripts/new/versions.ts'
import { repository } from './story/copy.ts'

const checkout = new Checkout(repository)
const operation: OperationAnswers = {
  id: 'countThings',
  method: 'GET',
  path: '/groups/{groupId}/things',
  area: 'Alerts',
  summary: 'Count the things of a project',
  role: 'PROJECT_READ_ONLY',
  strength: 'decided',
  source: 'decided: Things',
  schema: 'ThingCount',
}
const requirement = { text: 'It is so.', strength: 'stated', source: '4.4' } as const
const textOf = (changes: readonly { path: string; text: string }[], end: string) =>
  changes.find(({ path }) => path.endsWith(end))?.text ?? ''

describe('a new operation', () => {
  test('gets the files that the change table names, and no other', () => {
    const newest = newestDate(checkout).id
    expect(planOperation(checkout, operation).map(({ path }) => path)).toEqual([
      `spec/v2/${newest}/paths/count-things.yaml`,
      `spec/v2/${newest}/openapi.yaml`,
      `spec/v2/${newest}/schemas/ThingCount.yaml`,
      'spec/requirements/alerts/countThings.yaml',
      'packages/contract/src/cases/alerts/countThings.ts',
      'packages/server/src/operations/alerts/countThings.ts',
    ])
  })

  test('is listed by the index of every date from its first on', () => {
    const changes = planOperation(checkout, { ...operation, since: '2024-08-05' })
    const [own, later] = changes.filter(({ path }) => path.endsWith('openapi.yaml'))
    expect(indexedPaths(own?.text ?? '').get(operation.path)).toBe('paths/count-things.yaml')
    expect(indexedPaths(later?.text ?? '').get(operation.path)).toBe('../2024-08-05/paths/count-things.yaml')
  })

  test('is described by valid YAML in the media type of its date', () => {
    const item = parse(textOf(planOperation(checkout, operation), 'count-things.yaml'))
    const [content] = Object.keys(item.get.responses['200'].content)
    expect(content).toBe(newestDate(checkout).mediaType)
    expect(item.get.operationId).toBe('countThings')
  })

  test.each<[string, Partial<OperationAnswers>, RegExp]>([
    ['a method that is none', { method: 'fetch' }, /--method fetch: one of get/],
    ['an area that is none', { area: 'Weather' }, /--area Weather: one of Access Tracking/],
    ['a date that is not served', { since: '2020-01-01' }, /--since 2020-01-01: one of 2023/],
    ['a parameter that is not described', { path: '/groups/{group}' }, /\{group\} is no parameter/],
    ['an id that is taken', { id: 'listAlerts' }, /listAlerts\.yaml is there already/],
    ['a path that older dates share', { path: '/groups/{groupId}/alerts' }, /which other versions share/],
    ['an id of another form', { id: 'Things' }, /is no operation id/],
  ])('is refused for %s', (_, change, message) => {
    const plan = () => planOperation(checkout, { ...operation, ...change })
    expect(plan).toThrow(Refusal)
    expect(plan).toThrow(message)
  })
})

describe('a new requirement', () => {
  test('becomes a row and an unwritten case', () => {
    const changes = planRequirement(checkout, { ...requirement, id: 'listAlerts.so-it-is' })
    const { rows } = parse(textOf(changes, 'listAlerts.yaml'))
    expect(rows.at(-1)).toEqual({ ...requirement, id: 'listAlerts.so-it-is', source: ['4.4'] })
    expect(textOf(changes, 'listAlerts.ts')).toMatch(/'listAlerts\.so-it-is': always[\s\S]+\}\)\n$/)
  })

  test.each([
    ['listAlerts.status-filters', /never used again/],
    ['flyKite.high', /no file of spec\/requirements/],
    ['listAlerts', /is no id/],
  ])('%s is refused', (id, message) => {
    expect(() => planRequirement(checkout, { ...requirement, id })).toThrow(message)
  })
})

describe('a new date', () => {
  test('supersedes the newest and promises the same', () => {
    const newest = newestDate(checkout).id
    const changes = planDate(checkout, '2099-02-28')
    const { versions } = parse(textOf(changes, 'versions.yaml'))
    expect(versions.at(-1)).toMatchObject({ id: '2099-02-28', generation: 'v2', status: 'current' })
    expect(versions.at(-2)).toMatchObject({ id: newest, status: 'superseded' })
    const own = indexedPaths(textOf(changes, 'openapi.yaml'))
    const before = indexedPaths(checkout.read(`spec/v2/${newest}/openapi.yaml`))
    expect([...own.keys()]).toEqual([...before.keys()])
    expect([...own.values()].some((file) => file.startsWith('paths/'))).toBe(false)
  })

  test.each([
    ['2099-02-30', /is no date/],
    ['soon', /is no date/],
    ['2020-01-01', /is not later than/],
  ])('%s is refused', (date, message) => {
    expect(() => planDate(checkout, date)).toThrow(message)
  })
})

test('a path is put where the alphabet has it', () => {
  const index = 'openapi: 3.1.0\npaths:\n  /a: { $ref: a.yaml }\n  /c:\n    $ref: c.yaml\ncomponents: {}\n'
  expect([...indexedPaths(withPath(index, '/b', 'b.yaml')).keys()]).toEqual(['/a', '/b', '/c'])
  expect([...indexedPaths(withPath(index, '/d', 'd.yaml')).keys()]).toEqual(['/a', '/c', '/d'])
  expect(withPath(index, '/d', 'd.yaml')).toContain('c.yaml\n  /d: { $ref: d.yaml }\ncomponents')
})
