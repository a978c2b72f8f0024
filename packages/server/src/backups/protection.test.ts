import { expect, it } from 'vitest'
import { item, ordersEu, wait } from '../../test/backups.ts'
import { projectId, startChecked } from '../../test/checked-server.ts'
import { compliancePolicies } from '../persistence/compliance-policies.ts'
import type { World } from '../world/world.ts'
import { settlePolicy } from './protection.ts'

it('does not activate a policy that replaces another one during its activation', async () => {
  const { world, ask, ...server } = await startChecked()
  const json = { authorizedEmail: 'a@lindgren.example', scheduledPolicyItems: [item('daily', 1, 400)] }
  const path = `/groups/${projectId}/backupCompliancePolicy`
  const put = await ask(`${path}?overwriteBackupPolicies=true`, { method: 'PUT', json })
  expect(put.at('state')).toBe('ENABLING')
  await wait({ world, ask, ...server }, 3600)
  const before = await compliancePolicies.get(world.database, projectId)
  if (!before) throw new Error('The policy is gone')
  const now = await world.clock.now()
  const replacing = { ...before, state: 'UPDATING', since: now }
  let replaced = false
  const { transaction } = world.database
  const meddling: World['database'] = {
    ...world.database,
    transaction: async (body, kind) => {
      if (!replaced) await compliancePolicies.replace(world.database, replacing)
      replaced = true
      return transaction(body, kind)
    },
  }
  await settlePolicy({ ...world, database: meddling }, projectId, now)
  expect(replaced).toBe(true)
  expect(await compliancePolicies.get(world.database, projectId)).toMatchObject({
    state: 'UPDATING',
    since: now,
  })
  expect((await ask(`${ordersEu}/schedule`)).status).toBe(200)
})
