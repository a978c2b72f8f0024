import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { operations } from '@svc-admin/types'
import { expect, test } from 'vitest'
import { Misconfiguration } from '../model/signals.ts'
import { demoTarget } from './demo.ts'
import { loadTarget, parseTarget, schemaErrors } from './file.ts'

test('reads secrets from environment variables', () => {
  const text =
    '{"baseUrl":"http://x","roles":{"PROJECT_OWNER":{"apiKey":{"publicKey":"a","privateKey":"$KEY"}}}}'
  expect(parseTarget(text, 'file', { KEY: 'secret' }).roles?.PROJECT_OWNER?.apiKey?.privateKey).toBe('secret')
  expect(() => parseTarget(text, 'file', {})).toThrow(
    'the environment variable KEY in the target file is not set',
  )
})

test.each([
  ['{"baseUrl": 7}', '/baseUrl must be string, but is a number'],
  ['{"things": {"groupId": null}}', '/things/groupId must be string, but is null'],
  ['{"clusters": {"name": "x"}}', '/clusters must be array, but is an object'],
  ['{"clusters": [{"name": "x"}]}', '/clusters/0 lacks tier'],
  ['{"hook": {}}', '/hook is unknown: did you mean hooks?'],
  ['{"others": {"x/y": {}}}', '/others/x~1y is unknown: the fields are noRole, otherProject and restricted'],
  ['{"hooks": {"outbox": {"comand": "x"}}}', '/hooks/outbox must have either command or url'],
  ['{"hooks": {"seed": {"url": "x"}}}', '/hooks lacks unseed, which seed requires'],
  [
    '{"roles": {"PROJECT_OWNR": {}}}',
    '/roles/PROJECT_OWNR is unknown: unknown role PROJECT_OWNR: did you mean PROJECT_OWNER?',
  ],
  [
    '{"things": {"groupId": "a", "groupID": "b"}}',
    '/things/groupID is unknown: unknown path parameter groupID: did you mean groupId?',
  ],
  [
    '{"foreign": {"clustername": "x"}}',
    '/foreign/clustername is unknown: unknown path parameter clustername: did you mean clusterName?',
  ],
  [
    '{"things": {"getSnapsho.snapshotId": "x"}}',
    '/things/getSnapsho.snapshotId is unknown: unknown operation getSnapsho: did you mean getSnapshot?',
  ],
  [
    '{"things": {"getSnapshot.snapshotID": "x"}}',
    '/things/getSnapshot.snapshotID is unknown: unknown path parameter snapshotID: did you mean snapshotId?',
  ],
  ['{"timeoutMs": 0}', '/timeoutMs must be >= 1'],
  ['[]', 'the file must be object, but is an array'],
])('rejects %s with the message: %s', (text, expected) => {
  expect(() => parseTarget(text, 'my.json')).toThrow(new Misconfiguration(`my.json: ${expected}`))
})

test('reports the line and column where a file is not JSON', () => {
  expect(() => parseTarget('{\n  "baseUrl": "http://x"\n  "roles": {}\n}', 'my.json')).toThrow(
    'my.json:3:3 is not valid JSON: expected a comma or }',
  )
})

test('loads a target file with or without a byte order mark, and requires baseUrl', () => {
  const folder = mkdtempSync(join(tmpdir(), 'target-'))
  const file = join(folder, 'target.json')
  writeFileSync(file, '\uFEFF{"baseUrl":"http://x","things":{"groupId":"g"}}')
  const expected = { baseUrl: 'http://x', things: { groupId: 'g' }, roles: {} }
  expect(loadTarget(file)).toEqual(expected)
  expect(loadTarget(pathToFileURL(file))).toEqual(expected)
  writeFileSync(file, '{"things":{}}')
  expect(() => loadTarget(file)).toThrow('has no baseUrl')
  rmSync(folder, { recursive: true })
  expect(() => loadTarget(file)).toThrow(`can't read ${file}: the file does not exist`)
})

test('requires an unseed hook if there is a seed hook', () => {
  const hook = { url: 'http://127.0.0.1:1' }
  expect(schemaErrors('target', { hooks: { seed: hook } })).toEqual([expect.stringContaining('unseed')])
  expect(schemaErrors('target', { hooks: { seed: hook, unseed: hook } })).toEqual([])
})

test('the published schema describes every field', () => {
  const wordless: string[] = []
  const look = (schema: unknown, at: string): void => {
    if (typeof schema !== 'object' || schema === null) return
    for (const [name, field] of Object.entries(Object(schema).properties ?? {})) {
      if (!/^[A-Z].*\.$/.test(String(Object(field).description))) wordless.push(`${at}/${name}`)
    }
    for (const [name, field] of Object.entries(schema)) if (name !== 'examples') look(field, `${at}/${name}`)
  }
  look(JSON.parse(readFileSync(new URL('../../schema/target.json', import.meta.url), 'utf8')), '')
  expect(wordless).toEqual([])
})

test('the demo organization is a complete target that matches the published schema', () => {
  const target = demoTarget({ baseUrl: 'http://127.0.0.1:8080', control: 'http://127.0.0.1:8081' })
  expect(schemaErrors('target', JSON.parse(JSON.stringify(target)))).toEqual([])
  expect(Object.values(target.roles).every(({ apiKey, serviceAccount }) => apiKey && serviceAccount)).toBe(
    true,
  )
  expect(
    target.others?.noRole?.apiKey && target.others.otherProject?.apiKey && target.others.restricted?.apiKey,
  ).toBeTruthy()
  expect(Object.keys(target.foreign ?? {})).toEqual(
    expect.arrayContaining(['orgId', 'groupId', 'alertId', 'alertConfigId', 'clusterName', 'hostname']),
  )
})

test('the demo organization has a value for every path parameter of every operation', () => {
  const { things } = demoTarget({ baseUrl: 'http://127.0.0.1:8080' })
  const without = Object.values(operations).flatMap(({ id, pathParameters }) =>
    pathParameters.filter((name) => things[`${id}.${name}`] === undefined && things[name] === undefined),
  )
  expect(without).toEqual([])
})
