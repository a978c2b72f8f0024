import { describe, expect, it } from 'vitest'
import { ordersEu, post, usedBucket, wait } from '../../test/backups.ts'
import {
  type CheckedServer,
  projectId,
  type RequestOptions,
  startChecked,
} from '../../test/checked-server.ts'
import { persistentDatabase } from '../../test/databases.ts'

const snapshots = `${ordersEu}/snapshots`
const reads = { snapshot: { mode: 'reads', reads: 1 } }

const statusOf = async (server: CheckedServer, id: string, ask: RequestOptions = {}) =>
  (await server.ask(`${snapshots}/${id}`, ask)).at('status')

/** Takes a snapshot and reads it until it is completed. */
async function completed(server: CheckedServer): Promise<string> {
  await server.control('PUT', '/transitions', reads)
  const id = (await post(server, snapshots, {})).textAt('id')
  const seen = [await statusOf(server, id), await statusOf(server, id), await statusOf(server, id)]
  expect(seen).toEqual(['queued', 'inProgress', 'completed'])
  return id
}

describe('a transition after the configured number of reads', () => {
  it('remains after a restart, even if the mode is different then', async () => {
    const database = await persistentDatabase()
    const first = await startChecked({ database })
    const id = await completed(first)
    const begun = (await post(first, snapshots, {})).textAt('id')
    await statusOf(first, begun)
    await first.stop()
    const second = await startChecked({ database })
    expect(await statusOf(second, id)).toBe('completed')
    // If a count is incomplete, it restarts at zero.
    expect([await statusOf(second, begun), await statusOf(second, begun)]).toEqual(['queued', 'inProgress'])
    await second.control('PUT', '/transitions', { snapshot: { mode: 'manual' } })
    await second.stop()
    const third = await startChecked({ database })
    expect([await statusOf(third, id), await statusOf(third, begun)]).toEqual(['completed', 'inProgress'])
  })

  it('is part of a later fork, but not of an earlier one', async () => {
    const server = await startChecked()
    const before = (await server.control('POST', '/snapshots')).textAt('id')
    const id = await completed(server)
    const after = (await server.control('POST', '/snapshots')).textAt('id')
    for (const origin of [{ forkOf: 'main' }, { snapshot: after }]) {
      const { id: name, world } = await server.createWorld(origin)
      expect(await statusOf(server, id, { at: `/worlds/${name}`, nonceOf: world })).toBe('completed')
    }
    await server.control('POST', `/snapshots/${before}/restore`)
    expect(await statusOf(server, id)).toBeUndefined()
    await server.control('POST', `/snapshots/${after}/restore`)
    expect(await statusOf(server, id)).toBe('completed')
    await server.control('POST', '/reset')
    const other = await completed(server)
    expect(await statusOf(server, other)).toBe('completed')
  })

  it('is undone by a clock that goes back before it, also after a restart', async () => {
    const database = await persistentDatabase()
    const first = await startChecked({ database })
    await first.control('PUT', '/clock', { advanceSeconds: 3600, rate: 0 })
    const id = await completed(first)
    await first.control('PUT', '/clock', { advanceSeconds: -1800 })
    expect(await statusOf(first, id)).toBe('queued')
    await first.stop()
    const second = await startChecked({ database })
    expect([await statusOf(second, id), await statusOf(second, id)]).toEqual(['queued', 'inProgress'])
  })
})

describe("a read of a state isn't counted", () => {
  const latest = async (server: CheckedServer, kind: 'exports' | 'snapshots') =>
    (await server.ask(`${ordersEu}/${kind}`)).listAt('results').at(-1) ?? expect.fail()

  it('for a snapshot when the export that waits for it is read', async () => {
    const server = await startChecked()
    await server.control('PUT', '/transitions', { snapshot: { mode: 'reads', reads: 2 } })
    const json = { autoExportEnabled: true, export: { exportBucketId: usedBucket, frequencyType: 'hourly' } }
    expect((await server.ask(`${ordersEu}/schedule`, { method: 'PATCH', json })).status).toBe(200)
    await wait(server, 3 * 3600)
    for (let read = 0; read < 6; read += 1) expect((await latest(server, 'exports')).state).toBe('Queued')
    expect((await latest(server, 'snapshots')).status).toBe('queued')
  })

  it('for a compliance policy when the snapshots that it protects are read', async () => {
    const server = await startChecked()
    await server.control('PUT', '/transitions', { 'compliance-policy': { mode: 'reads', reads: 2 } })
    const policy = `/groups/${projectId}/backupCompliancePolicy`
    const json = {
      authorizedEmail: 'a@svc.example',
      authorizedUserFirstName: 'A',
      authorizedUserLastName: 'B',
    }
    expect((await server.ask(policy, { method: 'PUT', json })).at('state')).toBe('ENABLING')
    for (let read = 0; read < 6; read += 1) await latest(server, 'snapshots')
    const state = async () => (await server.ask(policy)).at('state')
    expect([await state(), await state(), await state()]).toEqual(['ENABLING', 'ENABLING', 'ACTIVE'])
  })
})
