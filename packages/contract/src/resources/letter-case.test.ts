import { expect, test } from 'vitest'
import { dated, groupId, outcomeIn, type Response, seeding } from '../../test/context-over.ts'
import { isObject, parseJson } from '../document/json.ts'
import { uppercaseInBody, uppercaseInPath } from './letter-case.ts'

const hasUppercase = (text: string): boolean => /[0-9A-F]*[A-F][0-9A-F]{10}/.test(text)

const servers: readonly [string, Response, string][] = [
  ['accepts IDs in uppercase', [200, {}], 'stated'],
  ["doesn't find IDs in uppercase", [404, { errorCode: 'RESOURCE_NOT_FOUND' }], 'decided'],
  ['rejects IDs in uppercase', [400, { errorCode: 'VALIDATION_ERROR' }], 'passed'],
]

test.each(servers)('a server that %s', async (_, response, expected) => {
  const sent: string[] = []
  const { context } = seeding(({ path, body = '' }) => {
    const text = path.replace('/api/svc/v2', '') + body
    if (!hasUppercase(text)) return [200, { id: 'a'.repeat(24) }]
    sent.push(text)
    return response
  })
  for (const operation of ['getSnapshot', 'updateSnapshotRetention'])
    for (const name of ['groupId', 'snapshotId'])
      expect(await outcomeIn(context, dated(operation), uppercaseInPath, `${name} in uppercase`)).toBe(
        expected,
      )
  expect(sent.filter((text) => text.includes(groupId.toUpperCase()))).toHaveLength(2)
  const label = '/snapshotId in uppercase'
  expect(await outcomeIn(context, dated('createExportJob'), uppercaseInBody, label)).toBe(expected)
  const body = parseJson(sent.at(-1)?.replace(/^[^{]*/, '') ?? '')
  expect(isObject(body) && hasUppercase(String(body.snapshotId))).toBe(true)
  expect(isObject(body) && hasUppercase(String(body.exportBucketId))).toBe(false)
})

test('names that may contain uppercase letters are not tested', () => {
  const labels = (operation: string) => uppercaseInPath.variants(dated(operation)).map(({ label }) => label)
  expect(labels('getSearchIndexByName')).toEqual(['groupId in uppercase'])
})
