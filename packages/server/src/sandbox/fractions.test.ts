import { expect, it } from 'vitest'
import { item, ordersEu, wait } from '../../test/backups.ts'
import { projectId, startChecked } from '../../test/checked-server.ts'
import { compliancePolicies } from '../persistence/compliance-policies.ts'

const policyPath = `/groups/${projectId}/backupCompliancePolicy`

it('a lifecycle with a duration in fractions of a millisecond ends at a whole one', async () => {
  const server = await startChecked()
  await server.control('PUT', '/transitions', { 'compliance-policy': { mode: 'after', seconds: 0.0005 } })
  const json = { authorizedEmail: 'a@lindgren.example', scheduledPolicyItems: [item('daily', 1, 400)] }
  expect((await server.ask(policyPath, { method: 'PUT', json })).status).toBe(200)
  await wait(server, 1)
  expect((await server.ask(`${ordersEu}/schedule`)).status).toBe(200)
  const kept = await compliancePolicies.get(server.world.database, projectId)
  expect([kept?.state, Number(kept?.since) % 1]).toEqual(['ACTIVE', 0])
  expect((await server.ask(policyPath, { method: 'PUT', json })).status).toBe(200)
})

it('a clock that advances by fractions of a millisecond returns whole ones, and steps happen immediately', async () => {
  const server = await startChecked()
  await server.control('PUT', '/transitions', { snapshot: { mode: 'manual' } })
  await server.control('PUT', '/clock', { rate: 0 })
  const snapshots = `${ordersEu}/snapshots`
  const taken = await server.ask(snapshots, {
    method: 'POST',
    json: { description: 'a', retentionInDays: 1 },
  })
  for (const advanceSeconds of [0.0005, 0.0004, 1.001])
    await server.control('PUT', '/clock', { advanceSeconds })
  expect((await server.control('GET', '/clock')).at('now')).toBe('2026-03-01T12:00:01.002Z')
  await server.control('POST', '/transitions/advance', { machine: 'snapshot' })
  const statusOf = async () => (await server.ask(`${snapshots}/${taken.textAt('id')}`)).at('status')
  expect([taken.at('status'), await statusOf()]).toEqual(['queued', 'inProgress'])
})
