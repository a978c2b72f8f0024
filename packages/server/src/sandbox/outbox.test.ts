import { expect, it } from 'vitest'
import { advance, configure, happen } from '../../test/alerts.ts'
import { type CheckedServer, noon, orgId, projectId, startChecked } from '../../test/checked-server.ts'

/** An event type that none of the demo organization's configurations watches. */
const eventTypeName = 'DISK_FULL'
const watched = { eventTypeName }
const minute = 60_000
const at = (milliseconds: number): string => new Date(noon + milliseconds).toISOString()

/** Returns the listed notifications, except for those that come from the demo organization's own alerts. */
async function sent(server: CheckedServer, query = '') {
  const all = (await server.control('GET', `/outbox${query}`)).listAt('notifications')
  return all.filter((one) => one.eventTypeName === eventTypeName)
}

const timesOf = (all: readonly Record<string, unknown>[]) =>
  all.map((one) => Date.parse(String(one.sent)) - noon)

it('lists the notifications of one project that were sent since a time', async () => {
  const server = await startChecked({ webhooks: false })
  await configure(server, watched)
  await happen(server, watched)
  await advance(server, 40)
  expect(timesOf(await sent(server))).toEqual([5, 15, 25, 35].map((minutes) => minutes * minute))
  const since = `since=${at(15 * minute)}`
  expect(timesOf(await sent(server, `?${since}`))).toEqual([15, 25, 35].map((minutes) => minutes * minute))
  expect((await sent(server, `?${since}&groupId=${projectId}`)).length).toBe(3)
  expect(await sent(server, `?${since}&groupId=64b7e1c20f3a5d6e7f809102`)).toEqual([])
  expect((await server.control('GET', '/outbox?since=yesterday')).status).toBe(400)
})

it('loses what was sent after a time to which the clock is set back', async () => {
  const server = await startChecked({ webhooks: false })
  await configure(server, watched)
  await happen(server, watched)
  await advance(server, 40)
  await advance(server, -20)
  expect(timesOf(await sent(server))).toEqual([5, 15].map((minutes) => minutes * minute))
})

it('keeps a webhook that is about to be sent when the clock is set back, at the new time', async () => {
  const server = await startChecked({ webhooks: false })
  const notifications = [
    { typeName: 'WEBHOOK', webhookUrl: 'http://192.0.2.1/', delayMin: 5, intervalMin: 0 },
  ]
  await configure(server, { ...watched, notifications })
  await happen(server, watched)
  await advance(server, 40)
  await advance(server, -38)
  const [kept, ...others] = await sent(server)
  expect(kept).toMatchObject({ sent: at(2 * minute).replace('.000', ''), delivery: { outcome: 'pending' } })
  expect(others).toEqual([])
})

it('loses the notifications of a project that is removed', async () => {
  const server = await startChecked({ webhooks: false })
  const id = '64b7e1c20f3a5d6e7f8091ee'
  await server.control('POST', '/seed', { projects: [{ id, orgId, name: 'Removed' }] })
  await server.ask(`/groups/${id}/alertConfigs`, {
    method: 'POST',
    json: { ...watched, enabled: true, notifications: [{ typeName: 'SMS' }] },
  })
  await server.control('POST', '/events', { ...watched, groupId: id })
  expect((await sent(server)).length).toBe(1)
  await server.control('POST', '/unseed', { projects: [{ id }] })
  expect(await sent(server)).toEqual([])
})
