import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { Checkout, InputError } from '../scripts/new/change.ts'
import { planDate } from '../scripts/new/date.ts'
import { indexedPaths, withPath } from '../scripts/new/index-lines.ts'
import type { NewOperation } from '../scripts/new/new-operation.ts'
import { planOperation } from '../scripts/new/operation.ts'
import { planRequirement } from '../scripts/new/requirement.ts'
import { newestDate } from '../scripts/new/versions.ts'
import { repository } from './story/copy.ts'

const checkout = new Checkout(repository)
const operation: NewOperation = {
  id: 'listThings',
  method: 'GET',
  path: '/groups/{groupId}/things',
  area: 'Alerts',
  summary: 'List the things of a project',
  role: 'PROJECT_READ_ONLY',
  strength: 'decided',
  source: 'decided: Things',
  schema: 'ThingList',
}
/** A path that doesn't exist in the first version. */
const orphan = '/groups/{groupId}/clusters/{clusterName}/search/indexes'
const requirement = { text: 'It is so.', strength: 'stated', source: '4.4' } as const
const textOf = (changes: readonly { path: string; text: string }[], end: string) =>
  changes.find(({ path }) => path.endsWith(end))?.text ?? ''

describe('a new operation', () => {
  test('gets exactly the files from the change table', () => {
    const newest = newestDate(checkout).id
    expect(planOperation(checkout, operation).map(({ path }) => path)).toEqual([
      `spec/v2/${newest}/paths/list-things.yaml`,
      `spec/v2/${newest}/openapi.yaml`,
      `spec/v2/${newest}/schemas/ThingList.yaml`,
      'spec/requirements/alerts/listThings.yaml',
      'packages/contract/src/cases/alerts/listThings.ts',
      'packages/server/src/operations/alerts/listThings.ts',
      'examples/implementer/src/operations.ts',
    ])
  })

  test('is not added to the example if the example lacks its area', () => {
    const changes = planOperation(checkout, { ...operation, area: 'Auditing' })
    expect(textOf(changes, 'implementer/src/operations.ts')).toBe('')
  })

  test.each([
    ['post', 'createThing'],
    ['put', 'updateThing'],
    ['patch', 'toggleThing'],
    ['get', 'getThing'],
  ])('has no bodies without a schema: %s', (method, id) => {
    const { schema: _, ...responses } = operation
    const changes = planOperation(checkout, { ...responses, method, id })
    const item = parse(textOf(changes, '-thing.yaml'))
    expect(item[method]).not.toHaveProperty('requestBody')
    expect(item[method].responses).toEqual({
      204: { description: 'Success.', content: { 'application/vnd.svc.2025-03-12+json': {} } },
    })
    expect(changes.some(({ path }) => path.includes('/schemas/'))).toBe(false)
  })

  test('refers to an existing schema of its date instead of creating one', () => {
    const changes = planOperation(checkout, { ...operation, schema: 'BackupSchedule' })
    const item = parse(textOf(changes, 'list-things.yaml'))
    const [content] = Object.values<{ schema: object }>(item.get.responses['200'].content)
    expect(content?.schema).toEqual({ $ref: '../../2024-08-05/schemas/BackupSchedule.yaml' })
    expect(changes.some(({ path }) => path.includes('/schemas/'))).toBe(false)
  })

  test.each([
    [operation.path, 'RESOURCE_NOT_FOUND'],
    ['/things', 'UNAUTHORIZED'],
  ])('expects the most common error of %s', (path, code) => {
    const item = parse(textOf(planOperation(checkout, { ...operation, path }), 'list-things.yaml'))
    expect(item.get['x-failure']).toEqual({ code, detail: '' })
  })

  test('has links in the response schema, but not in the request schema', () => {
    const changes = planOperation(checkout, {
      ...operation,
      id: 'createThing',
      method: 'post',
      schema: 'Thing',
    })
    expect(parse(textOf(changes, '/Thing.yaml'))).toMatchObject({
      required: ['links'],
      properties: { links: {} },
    })
    expect(parse(textOf(changes, '/ThingRequest.yaml'))).toMatchObject({ required: [], properties: {} })
  })

  test('has a requirement that covers its request and response', () => {
    const changes = planOperation(checkout, {
      ...operation,
      id: 'createThing',
      method: 'post',
      schema: 'Thing',
    })
    const { rows } = parse(textOf(changes, 'requirements/alerts/createThing.yaml'))
    expect(rows[0].covers).toEqual(['schema:Thing', 'schema:ThingRequest'])
  })

  test('is listed in the index of every date since its first', () => {
    const changes = planOperation(checkout, { ...operation, since: '2024-08-05' })
    const [own, later] = changes.filter(({ path }) => path.endsWith('openapi.yaml'))
    expect(indexedPaths(own?.text ?? '').get(operation.path)).toBe('paths/list-things.yaml')
    expect(indexedPaths(later?.text ?? '').get(operation.path)).toBe('../2024-08-05/paths/list-things.yaml')
  })

  test('reports the missing line in v1.0 if v1.0 has it', () => {
    const [path] = planOperation(checkout, operation)
    expect(path?.next).toContain('spec/v1.0/openapi.yaml')
  })

  test('has valid YAML with the media type of its date', () => {
    const item = parse(textOf(planOperation(checkout, operation), 'list-things.yaml'))
    const [content] = Object.keys(item.get.responses['200'].content)
    expect(content).toBe(newestDate(checkout).mediaType)
    expect(item.get.operationId).toBe('listThings')
  })

  test.each<[string, Partial<NewOperation>, RegExp]>([
    ['a method that is none', { method: 'fetch' }, /--method fetch: must be one of get/],
    ['an area that is none', { area: 'Weather' }, /--area Weather: must be one of Access Tracking/],
    ['a date that is not served', { since: '2020-01-01' }, /--since 2020-01-01: must be one of 2023/],
    [
      'a parameter without a description',
      { path: '/groups/{group}' },
      /\{group\} is not in spec\/shared\/parameters/,
    ],
    ['an id that is taken', { id: 'listAlerts' }, /operation listAlerts already exists in spec.+another ID/],
    ['an id used in another area', { id: 'getAuditingConfig' }, /already exists in .+auditing\.yaml/],
    ['a role that is none', { role: 'BOGUS' }, /--role BOGUS: must be one of ORGANIZATION_OWNER/],
    ['a path without a slash', { path: 'groups/{groupId}/things' }, /--path groups.+must start with a slash/],
    ['a path that the linter refuses', { path: '/groups/the-things' }, /invalid path segment: the-things/],
    ['a path of a later date', { path: orphan, since: '2023-01-01' }, /described by spec\/v2\/2024-05-30/],
    ['a verb that the linter refuses', { id: 'countThings' }, /verb must be one of list, get, create/],
    [
      'a verb for another method',
      { id: 'createThing' },
      /the verb of createThing does not match the HTTP method get/,
    ],
    [
      'a summary that the linter rejects',
      { summary: 'Lists things.' },
      /the summary ends with a punctuation mark/,
    ],
    ['a summary that ends a comment', { summary: 'List */ things' }, /--summary .+ must not contain \*\//],
    ['a source of another form', { source: 'hearsay' }, /x-source is hearsay/],
    [
      'an unknown section',
      { source: '4.99' },
      /--source 4\.99: listThings cites the unknown source 4\.99\. .+a section/,
    ],
    ['a schema that is no name', { schema: '../../x y' }, /--schema \.\.\/\.\.\/x y: must be in PascalCase/],
    [
      'a schema that a later date changes',
      { schema: 'BackupSchedule', since: '2023-01-01' },
      /2024-08-05.+is later than 2023-01-01/,
    ],
    [
      'a delete with a response body',
      { id: 'deleteThing', method: 'delete' },
      /a delete operation returns no body/,
    ],
    ['a path that older dates share', { path: '/groups/{groupId}/alerts' }, /which other versions share/],
    ['an id of another form', { id: 'Things' }, /operationId is Things/],
  ])('rejects %s', (_, change, message) => {
    const plan = () => planOperation(checkout, { ...operation, ...change })
    expect(plan).toThrow(InputError)
    expect(plan).toThrow(message)
  })
})

describe('a new requirement', () => {
  test('adds a row and a case to be written', () => {
    const changes = planRequirement(checkout, { ...requirement, id: 'listAlerts.so-it-is' })
    const { rows } = parse(textOf(changes, 'listAlerts.yaml'))
    expect(rows.at(-1)).toEqual({ ...requirement, id: 'listAlerts.so-it-is', source: ['4.4'] })
    expect(textOf(changes, 'listAlerts.ts')).toMatch(/'listAlerts\.so-it-is': always[\s\S]+\}\)\n$/)
  })

  test('adds the imports of its case', () => {
    const changes = planRequirement(checkout, { ...requirement, id: 'acknowledgeAlert.so-it-is' })
    expect(textOf(changes, 'acknowledgeAlert.ts')).toContain('import { always, type Rule, rules } from')
  })

  test.each([
    [{ source: '99' }, /--source 99: listAlerts\.so-it-is cites the unknown source 99\. .+such as 4\.7/],
    [{ source: '4.4x' }, /cites the unknown source 4\.4x/],
    [{ source: 'decided: Responses' }, /is stated, but cites no section of the specification source/],
    [{ strength: 'decided' as const }, /is decided, but cites no decision or RFC/],
  ])('rejects %j', (change, message) => {
    const responses = { ...requirement, id: 'listAlerts.so-it-is' }
    expect(() => planRequirement(checkout, { ...responses, ...change })).toThrow(message)
    const decided = { ...responses, strength: 'decided', source: 'decided: Not yet written' } as const
    expect(() => planRequirement(checkout, decided)).not.toThrow()
  })

  test.each([
    ['listAlerts.status-filters', /never reused/],
    ['flyKite.high', /no file in spec\/requirements/],
    ['listAlerts', /is not a valid ID/],
  ])('rejects %s', (id, message) => {
    expect(() => planRequirement(checkout, { ...requirement, id })).toThrow(message)
  })
})

describe('a new date', () => {
  test('supersedes the newest date with the same requirements', () => {
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
    ['2099-02-28', '2099-02-27', /return 406 until that date/],
    ['2099-02-28', '2099-02-28', /is now superseded$/],
  ])('reports when %s takes effect if generated on %s', (date, today, said) => {
    const [row] = planDate(checkout, date, today)
    expect(row?.next).toMatch(said)
  })

  test("adds its change to the server's version chain", () => {
    const chain = textOf(planDate(checkout, '2099-02-28'), 'chain.ts')
    expect(chain).toContain("import { since20990228 } from './2099-02-28.ts'\n")
    expect(chain).toContain("\n  '2099-02-28': since20990228,\n}\n")
  })

  test.each([
    ['2099-02-30', /is not a date/],
    ['soon', /is not a date/],
    ['2020-01-01', /must be later than/],
  ])('rejects %s', (date, message) => {
    expect(() => planDate(checkout, date)).toThrow(message)
  })
})

test('inserts a path in alphabetical order', () => {
  const index = 'openapi: 3.1.0\npaths:\n  /a: { $ref: a.yaml }\n  /c:\n    $ref: c.yaml\ncomponents: {}\n'
  expect([...indexedPaths(withPath(index, '/b', 'b.yaml')).keys()]).toEqual(['/a', '/b', '/c'])
  expect([...indexedPaths(withPath(index, '/d', 'd.yaml')).keys()]).toEqual(['/a', '/c', '/d'])
  expect(withPath(index, '/d', 'd.yaml')).toContain('c.yaml\n  /d: { $ref: d.yaml }\ncomponents')
})

describe('a checkout', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-admin-checkout-'))
  const own = new Checkout(folder)
  afterAll(() => rmSync(folder, { recursive: true }))

  test('writes nothing if a new file already exists', () => {
    own.write([{ path: 'there.txt', text: 'old', isNew: true }])
    const changes = [
      { path: 'first.txt', text: 'new', isNew: true },
      { path: 'there.txt', text: 'new', isNew: true },
    ]
    expect(() => own.write(changes)).toThrow(/^there\.txt already exists/)
    expect(own.has('first.txt')).toBe(false)
    expect(own.read('there.txt')).toBe('old')
  })
})

describe('the command', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['--import', 'tsx', 'scripts/new/main.ts', ...args], {
      cwd: repository,
      encoding: 'utf8',
    })

  test('prints its help with exit code 0', () => {
    const { status, stdout } = run('--help')
    expect(stdout).toContain('npm run new -- operation <operationId>')
    expect(status).toBe(0)
  })

  test.each([
    [['foo', 'bar'], /^unknown kind foo: expected one of date, requirement, operation/],
    [['date'], /^date: the name is missing/],
    [['date', '2099-02-28', 'more'], /^unexpected argument after 2099-02-28: more/],
  ])('rejects %j', (args, message) => {
    const { status, stderr } = run(...args)
    expect(stderr).toMatch(message)
    expect(status).toBe(2)
  })
})
