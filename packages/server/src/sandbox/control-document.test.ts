import { expect, it } from 'vitest'
import { startChecked } from '../../test/checked-server.ts'
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
  const refused: string[] = []
  for (const { name, operation } of controlOperations) {
    const [method = '', path = ''] = name.split(' ')
    if (path === '/stream') continue
    const target = path.replace(':worldId', 'main').replace(/:\w+/, 'snapshot-1')
    const answer = await server.control(method, target, exampleOf(operation))
    if (answer.status >= 400) refused.push(name)
    expect(answer.status).toBeLessThan(500)
  }
  // These name resources that the demo does not have, or take away what has to stay.
  expect(refused.sort()).toEqual([
    'DELETE /faults/:faultId',
    'DELETE /worlds/:worldId',
    'POST /backups/deletable',
    'POST /backups/exports/cancel',
    'POST /backups/exports/fail',
    'POST /backups/restore-jobs/fail',
    'POST /backups/snapshots/fail',
    'POST /live-migrations/fail',
    'POST /migration-validations/fail',
    'POST /search-indexes/fail',
    'POST /snapshots/:snapshotId/restore',
  ])
})
