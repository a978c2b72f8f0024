import { describe, expect, it } from 'vitest'
import { foreignId } from '../../test/backups.ts'
import { type CheckedServer, projectId, startChecked } from '../../test/checked-server.ts'

/** Creates a world in which notifications have been due since the date of the demo data. */
async function begun(server: CheckedServer, randomSeed = 'seven') {
  const clock = { now: '2026-03-01T12:00:00Z', rate: 0 }
  const { id, world, remove } = await server.createWorld({ randomSeed, clock })
  const control = (method: string, path: string, body?: unknown) =>
    server.control(method, `/worlds/${id}${path}`, body)
  return {
    look: async (groupId: string) => {
      const within = {
        at: `/worlds/${id}`,
        nonceOf: world,
        as: groupId === projectId ? 'orgowner' : 'foreignk',
      }
      expect((await server.ask(`/groups/${groupId}/alerts`, within)).status).toBe(200)
    },
    jump: () => control('PUT', '/clock', { advanceSeconds: 86_400 }),
    control,
    told: async () => (await control('GET', '/outbox')).listAt('notifications'),
    remove,
  }
}

describe('alert notifications', () => {
  it('are the same for the same seed, regardless of reads before a clock jump', async () => {
    const server = await startChecked({ webhooks: false })
    const runs: ((world: Awaited<ReturnType<typeof begun>>) => Promise<unknown>)[] = [
      async () => {},
      ({ told }) => told(),
      ({ look }) => look(foreignId).then(() => look(projectId)),
      ({ look }) => look(projectId).then(() => look(foreignId)),
      ({ control }) => control('POST', '/outbox/deliver'),
    ]
    const outboxes = []
    for (const run of runs) {
      const world = await begun(server)
      await run(world)
      await world.jump()
      outboxes.push(await world.told())
      await world.remove()
    }
    const [first = []] = outboxes
    expect(new Set(first.map(({ id }) => id)).size).toBe(first.length)
    expect(first.length).toBeGreaterThan(400)
    for (const outbox of outboxes) expect(outbox).toEqual(first)
    const other = await begun(server, 'eight')
    await other.jump()
    expect((await other.told())[0]?.id).not.toBe(first[0]?.id)
  })

  it('have new identifiers, also after a rewind', async () => {
    const server = await startChecked({ webhooks: false })
    const outbox = async () =>
      (await server.control('GET', '/outbox')).listAt('notifications').map(({ id }) => id)
    const seen = new Set(await outbox())
    const id = (await server.control('POST', '/snapshots')).textAt('id')
    await server.control('PUT', '/clock', { advanceSeconds: 3600, rate: 0 })
    const [before, noon] = [await outbox(), { now: '2026-03-01T12:00:00Z' }]
    await server.control('PUT', '/clock', noon)
    await server.control('PUT', '/clock', { advanceSeconds: 3600 })
    const again = await outbox()
    expect(new Set(again).size).toBe(again.length)
    const repeated = again.filter((one) => !seen.has(one))
    expect(repeated.length).toBeGreaterThan(0)
    expect(repeated.filter((one) => before.includes(one))).toEqual([])
    await server.control('POST', `/snapshots/${id}/restore`)
    await server.control('PUT', '/clock', { advanceSeconds: 3600 })
    const restored = (await outbox()).filter((one) => !seen.has(one))
    expect(restored.filter((one) => again.includes(one))).toEqual([])
    expect(restored.length).toBeGreaterThan(0)
  })
})
