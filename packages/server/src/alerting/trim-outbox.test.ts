import { expect, it } from 'vitest'
import { projectId, startChecked } from '../../test/checked-server.ts'
import { outboxSize } from '../domain/alert.ts'
import { deliveries } from '../persistence/deliveries.ts'
import { outbox } from '../persistence/outbox.ts'
import type { World } from '../world/world.ts'
import { settleAlerts } from './settle.ts'
import { trimOutbox } from './trim-outbox.ts'

const nameOf = (index: number) => `${index}`.padStart(24, '0')

/** Adds webhook notifications with different times. */
async function fill({ database }: World, count: number): Promise<void> {
  await database.transaction(async (transaction) => {
    for (let at = 0; at < count; at += 1) {
      const entry = { id: nameOf(at), groupId: projectId, alertId: 'a', createdAt: Math.floor(at / 2) }
      await outbox.insert(transaction, { ...entry, document: { typeName: 'WEBHOOK' } })
    }
  })
}

async function deliver({ database }: World, index: number, delivered: boolean): Promise<void> {
  const id = nameOf(index)
  const delivery = { id, groupId: projectId, configId: 'c', notifierId: 'n', body: '{}' }
  await deliveries.insert(database, delivery, Number.MAX_SAFE_INTEGER)
  if (!delivered) return
  await deliveries.settle(database, { id, attempts: 0 }, 'delivered', { at: '', status: 200 }, undefined)
}

it('the latest notifications are retained, and those in delivery', async () => {
  const { world } = await startChecked({ webhooks: false, seedDemo: false })
  const { database, noticeIds } = world
  await fill(world, 11)
  for (const index of [0, 2, 6, 9]) await deliver(world, index, true)
  for (const index of [1, 5]) await deliver(world, index, false)
  const beyond = (limit: number) =>
    database.transaction((transaction) => outbox.removeBeyond(transaction, 4, limit))
  expect([await beyond(2), await beyond(2), await beyond(2), await beyond(2)]).toEqual([2, 2, 1, 0])
  const kept = (await outbox.list(database, { limit: 100 })).map(({ id }) => Number(id))
  expect(kept).toEqual([1, 5, 7, 8, 9, 10])
  const known = await Promise.all(
    Array.from({ length: 11 }, (_, index) => deliveries.state(database, nameOf(index))),
  )
  expect(known.flatMap((state, index) => (state ? [index] : []))).toEqual([1, 5, 9])
  await deliveries.settle(database, { id: nameOf(5), attempts: 0 }, 'failed', { at: '' }, undefined)
  expect(await beyond(9)).toBe(1)
  expect(await deliveries.state(database, nameOf(5))).toBeUndefined()
  // At this point, the outbox is still far below its limit.
  await trimOutbox(world, noticeIds.created() - 1000)
  expect((await outbox.list(database, { limit: 100 })).length).toBe(5)
})

it('a long-running server retains as many as it lists', async () => {
  const { world, ask, control } = await startChecked({ webhooks: false })
  await fill(world, outboxSize + 700)
  const notifications = Array.from({ length: 21 }, () => ({ typeName: 'SMS', intervalMin: 5 }))
  const json = { eventTypeName: 'LONG', enabled: true, notifications }
  await ask(`/groups/${projectId}/alertConfigs`, { method: 'POST', json })
  await control('POST', '/events', { groupId: projectId, eventTypeName: 'LONG' })
  // The server checks the size of the outbox after every thousand new notifications.
  for (let jump = 0; jump < 2; jump += 1) {
    await control('PUT', '/clock', { advanceSeconds: 60 * 5 * 50 })
    await settleAlerts(world, projectId, await world.clock.now())
  }
  const shown = await outbox.list(world.database, { limit: outboxSize * 2 })
  expect(shown.length).toBeGreaterThanOrEqual(outboxSize)
  expect(shown.length).toBeLessThan(outboxSize + 2000)
  expect(shown[0]?.createdAt).toBeGreaterThan(500)
})

it('a list that starts at a time has the earliest entries, and a list without one the latest', async () => {
  const { world } = await startChecked({ webhooks: false, seedDemo: false })
  await fill(world, 11)
  const listed = async (selection: { since?: number; groupId?: string }) =>
    (await outbox.list(world.database, { ...selection, limit: 3 })).map(({ id }) => Number(id))
  expect(await listed({})).toEqual([8, 9, 10])
  expect(await listed({ since: 2 })).toEqual([4, 5, 6])
  expect(await listed({ groupId: projectId })).toEqual([8, 9, 10])
  expect(await listed({ groupId: 'another', since: 0 })).toEqual([])
})
