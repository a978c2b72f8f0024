import { operations } from '@svc-admin/types'
import { expect, test } from 'vitest'
import { demoTarget } from './demo.ts'
import { misfits, parseTarget } from './file.ts'

test('takes secrets from the environment', () => {
  const text =
    '{"baseUrl":"http://x","roles":{"PROJECT_OWNER":{"apiKey":{"publicKey":"a","privateKey":"$KEY"}}}}'
  expect(parseTarget(text, 'file', { KEY: 'secret' }).roles?.PROJECT_OWNER?.apiKey?.privateKey).toBe('secret')
  expect(() => parseTarget(text, 'file', {})).toThrow('the variable KEY of the target file is not set')
})

test('says what does not fit, by its place', () => {
  expect(() => parseTarget('{"baseUrl": 7, "other": 1}', 'my.json')).toThrow(
    /my\.json: .*additional properties.*\/baseUrl must be string/,
  )
  expect(() => parseTarget('{', 'my.json')).toThrow('my.json is not JSON')
})

test('the demo organisation is a target that fits the published schema and lacks nothing', () => {
  const target = demoTarget({ baseUrl: 'http://127.0.0.1:8080', control: 'http://127.0.0.1:8081' })
  expect(misfits('target', JSON.parse(JSON.stringify(target)))).toEqual([])
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

test('every path parameter of every operation has a value', () => {
  const { things } = demoTarget({ baseUrl: 'http://127.0.0.1:8080' })
  const without = Object.values(operations).flatMap(({ id, pathParameters }) =>
    pathParameters.filter((name) => things[`${id}.${name}`] === undefined && things[name] === undefined),
  )
  expect(without).toEqual([])
})
