import { expect, test } from 'vitest'
import { contextOver, dated, outcomeIn } from '../../test/context-over.ts'
import { isObject, type JsonObject, parseJson } from '../document/json.ts'
import { readOnlyFieldsUnchanged } from './read-only-changes.ts'

type Respond = (sent: JsonObject) => readonly [number, object]

/** Checks a server that responds to an update with the given configuration. */
const outcomeOn = (respond: Respond): Promise<string> => {
  let stored: object = {}
  const { context } = contextOver(({ method, body }) => {
    if (method === 'GET') return [200, stored]
    const sent = parseJson(body ?? '')
    const [status, config] = respond(isObject(sent) ? sent : {})
    if (status === 200) stored = config
    return [status, config]
  })
  return outcomeIn(context, dated('updateAuditingConfig'), readOnlyFieldsUnchanged, 'read-only fields')
}

test.each<[string, string, Respond]>([
  ['sets a read-only field', 'Violation', (sent) => [200, sent]],
  ['ignores read-only fields', 'passed', () => [200, { configurationType: 'NONE' }]],
  ['shows no read-only field', 'passed', () => [200, {}]],
  ['rejects read-only fields', 'passed', (sent) => ('configurationType' in sent ? [400, {}] : [200, sent])],
])('a server that %s', async (_, expected, respond) => {
  expect(await outcomeOn(respond)).toBe(expected)
})

test('a job that starts immediately has chosen its own states', async () => {
  const job = (status: string) => ({ _id: 'a'.repeat(24), status })
  const { context } = contextOver(({ method }) => [200, job(method === 'GET' ? 'WORKING' : 'NEW')])
  const outcome = await outcomeIn(
    context,
    dated('createMigration'),
    readOnlyFieldsUnchanged,
    'read-only fields',
  )
  expect(outcome).toBe('passed')
})
