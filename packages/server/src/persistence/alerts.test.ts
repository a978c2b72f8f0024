import { expect, it } from 'vitest'
import { projectId, startChecked } from '../../test/checked-server.ts'
import { alerts } from './alerts.ts'

async function raiseOne() {
  const { world, control, ask } = await startChecked({ webhooks: false })
  const json = { eventTypeName: 'TIED', enabled: true, notifications: [{ typeName: 'SMS' }] }
  await ask(`/groups/${projectId}/alertConfigs`, { method: 'POST', json })
  const raised = await control('POST', '/events', { groupId: projectId, eventTypeName: 'TIED' })
  const one = await alerts.find(world.database, projectId, raised.textAt('alerts', 0))
  if (!one) throw new Error('Nothing was raised')
  return { world, one }
}

it('lists alerts with equal due times by identifier, regardless of their storage order', async () => {
  const { world, one } = await raiseOne()
  const other = '0123456789ab'.repeat(2)
  const groupId = 'f'.repeat(24)
  for (const digit of 'badc') {
    const id = digit.repeat(24)
    await alerts.put(world.database, { ...one, id, condition: id, dueAt: 5 })
    await alerts.put(world.database, { ...one, groupId: id, id: other + digit, condition: id, dueAt: 4 })
  }
  await alerts.put(world.database, { ...one, groupId, id: other, condition: other, dueAt: 4 })
  const due = await world.database.transaction((transaction) => alerts.due(transaction, projectId, 5, 3))
  expect(due.map(({ id }) => id[0])).toEqual(['a', 'b', 'c'])
  expect(await alerts.groupDue(world.database, 5)).toBe(groupId)
})

it('returns the oldest active alert if several were seeded for one condition', async () => {
  const { world, one } = await raiseOne()
  const createdAt = one.createdAt - 1
  for (const digit of 'badc') {
    await alerts.put(world.database, { ...one, id: digit.repeat(24), createdAt })
  }
  const active = await alerts.active(world.database, one.configId, one.condition, 'CLOSED')
  expect(active?.id).toBe('a'.repeat(24))
})
