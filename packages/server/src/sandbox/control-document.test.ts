import { expect, it } from 'vitest'
import { projectId, startChecked } from '../../test/checked-server.ts'
import { controlFaultsOf, controlOperations, exampleOf } from '../../test/control-check.ts'
import { controlActions } from './control.ts'

/** What is no JSON is served beside the actions. */
const besides = ['GET /stream', 'GET /metrics']

it('describes every action of the control interface, and no other', () => {
  const described = controlOperations.map(({ name }) => name)
  expect(described.sort()).toEqual([...Object.keys(controlActions), ...besides].sort())
})

it('tells what is wrong with an answer', () => {
  const answered = (body: unknown, type = 'application/json') => ({
    status: 200,
    headers: new Headers({ 'content-type': type }),
    body,
  })
  expect(controlFaultsOf('GET', '/clock', answered({ now: '2026-01-01T00:00:00Z', rate: 1 }))).toEqual([])
  for (const wrong of [{ now: 'noon', rate: 1 }, { now: '2026-01-01T00:00:00Z' }, { rate: 1, extra: true }]) {
    expect(controlFaultsOf('GET', '/worlds/x/clock', answered(wrong))).not.toEqual([])
  }
  expect(controlFaultsOf('GET', '/clocks', answered({}))).toHaveLength(1)
  expect(controlFaultsOf('GET', '/clock', answered('', 'text/plain'))).toHaveLength(1)
  expect(controlFaultsOf('POST', '/reset', answered({ surplus: 1 }))).toHaveLength(1)
})

it('fits what is answered to the examples of its requests', async () => {
  const server = await startChecked({ webhooks: false })
  const refused: [string, unknown][] = []
  for (const { name, operation } of controlOperations) {
    const [method = '', path = ''] = name.split(' ')
    if (path === '/stream') continue
    const target = path.replace(':worldId', 'main').replace(/:\w+/, 'snapshot-1')
    const answer = await server.control(method, target, exampleOf(operation))
    if (answer.status >= 400) refused.push([name, answer.at('errorCode')])
    expect(answer.status).toBeLessThan(500)
  }
  const over = 'INVALID_STATE'
  // Of what the demo has all but a live migration and a restore is over; the rest is not there, or has to stay.
  expect(Object.fromEntries(refused)).toEqual({
    'DELETE /faults/:faultId': 'RESOURCE_NOT_FOUND',
    'DELETE /worlds/:worldId': 'VALIDATION_ERROR',
    'POST /backups/exports/cancel': over,
    'POST /backups/exports/fail': over,
    'POST /backups/snapshots/fail': over,
    'POST /migration-validations/fail': over,
    'POST /search-indexes/fail': over,
    'POST /snapshots/:snapshotId/restore': 'RESOURCE_NOT_FOUND',
  })
})

it.each([
  ['username', 5, "'entries[0].username' must be a text"],
  ['authResult', 'yes', "'entries[0].authResult' must be true or false"],
  ['ipAddress', '2'.repeat(46), "'entries[0].ipAddress' must have 45 characters at most"],
])('holds the %s of an attempt to its document', async (name, value, why) => {
  const server = await startChecked()
  const body = { groupId: projectId, clusterName: 'orders-eu', entries: [{ [name]: value }] }
  expect((await server.control('POST', '/access-logs', body)).at('detail')).toBe(`${why}.`)
})
