import { describe, expect, it } from 'vitest'
import { backupOf, day, item, policies, post, wait } from '../../test/backups.ts'
import { type CheckedServer, projectId, startChecked } from '../../test/checked-server.ts'
import { clusters } from '../persistence/clusters.ts'
import { compliancePolicies } from '../persistence/compliance-policies.ts'
import type { World } from '../world/world.ts'
import { settleEveryExpiry } from './expiry.ts'
import { settleBackups, settleEveryBackup, settlePolicy } from './protection.ts'

const name = 'orders-archive'
const backup = backupOf(name)

/** Returns a world that calls `meddle` after `settle` has run the given number of transactions. */
function meddling({ world }: CheckedServer, after: number, meddle: () => Promise<unknown>): World {
  let left = after
  const { database } = world
  const transaction: World['database']['transaction'] = async (body, kind) => {
    if (left === 0) await meddle()
    left -= 1
    return database.transaction(body, kind)
  }
  return { ...world, database: { ...database, transaction } }
}

/**
 * Starts a server with an hourly schedule, a snapshot that is retained for a day, and a world state to restore later.
 */
async function startKept() {
  const server = await startChecked()
  await server.ask(`${backup}/schedule`, { method: 'PATCH', json: policies(item('hourly', 1, 3, 'years')) })
  const taken = (await post(server, `${backup}/snapshots`, { retentionInDays: 1 })).textAt('id')
  const id = (await server.control('POST', '/snapshots')).textAt('id')
  const cluster = await clusters.byName(server.world.database, projectId, name)
  if (!cluster) throw new Error('The cluster is gone')
  const restore = () => server.control('POST', `/snapshots/${id}/restore`)
  const count = async () => (await server.ask(`${backup}/snapshots?itemsPerPage=1`)).at('totalCount')
  const kept = async () => (await server.ask(`${backup}/snapshots/${taken}`)).status
  return { server, cluster, restore, count, kept }
}

describe('a world restored while its backups are settled', () => {
  it.each([0, 1, 3])(
    'has no snapshots from the future and retains its own: after %i transactions',
    async (after) => {
      const { server, cluster, restore, count, kept } = await startKept()
      const before = await count()
      await wait(server, 60 * day)
      await settleBackups(meddling(server, after, restore), cluster, await server.world.clock.now())
      expect([await count(), await kept()]).toEqual([before, 200])
    },
  )

  it('does not settle clusters and projects past the restored time either', async () => {
    const { server, restore, count, kept } = await startKept()
    const before = await count()
    await wait(server, 60 * day)
    const now = await server.world.clock.now()
    await settleEveryBackup(meddling(server, 2, restore), now)
    await settleEveryExpiry(server.world, now)
    expect([await count(), await kept()]).toEqual([before, 200])
  })

  it('expires snapshots by the restored clock, not by the previous one', async () => {
    const { server, cluster, count } = await startKept()
    await server.ask(`${backup}/schedule`, { method: 'PATCH', json: policies(item('hourly', 1, 30)) })
    await wait(server, 40 * day)
    const id = (await server.control('POST', '/snapshots')).textAt('id')
    await wait(server, 20 * day)
    const restore = () => server.control('POST', `/snapshots/${id}/restore`)
    await settleBackups(meddling(server, 1, restore), cluster, await server.world.clock.now())
    expect(await count()).toBe(30 * 24)
  })

  it('does not activate a policy that is still pending at the restored time', async () => {
    const { server } = await startKept()
    const json = { authorizedEmail: 'a@lindgren.example', scheduledPolicyItems: [item('daily', 1, 4000)] }
    const path = `/groups/${projectId}/backupCompliancePolicy`
    await server.ask(`${path}?overwriteBackupPolicies=true`, { method: 'PUT', json })
    const id = (await server.control('POST', '/snapshots')).textAt('id')
    await wait(server, 3600)
    const restore = () => server.control('POST', `/snapshots/${id}/restore`)
    await settlePolicy(meddling(server, 0, restore), projectId, await server.world.clock.now())
    expect((await compliancePolicies.get(server.world.database, projectId))?.state).toBe('ENABLING')
  })
})
