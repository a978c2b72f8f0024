import { expect, it } from 'vitest'
import { day, ordersEu, wait } from '../../test/backups.ts'
import { type CheckedServer, projectId, startChecked } from '../../test/checked-server.ts'

const countsOf = async (server: CheckedServer): Promise<Record<string, number>> => {
  const organizations = Object((await server.control('GET', '/state')).at('organizations'))
  const projects = organizations.flatMap((one: { projects: unknown[] }) => one.projects)
  return projects.find(({ id }: { id: string }) => id === projectId).counts
}

it('the state counts what there is by now, whether or not anybody has looked', async () => {
  const server = await startChecked()
  await server.control('PUT', '/clock', { rate: 0 })
  await wait(server, 30 * day)
  const before = await countsOf(server)
  await server.ask(`${ordersEu}/snapshots`)
  expect(await countsOf(server)).toEqual(before)
  expect(before.snapshots).toBeGreaterThan(50)
})

it('the state counts no Search index that is gone', async () => {
  const server = await startChecked()
  const indexes = `/groups/${projectId}/clusters/orders-eu/search/indexes`
  const counted = async () => (await countsOf(server)).searchIndexes
  const before = await counted()
  const json = { database: 'd', collectionName: 'c', name: 'n', definition: { mappings: { dynamic: true } } }
  const id = (await server.ask(indexes, { method: 'POST', json })).textAt('indexID')
  await server.ask(`${indexes}/${id}`, { method: 'DELETE' })
  expect(await counted()).toBe(Number(before) + 1)
  await wait(server, 60)
  expect(await counted()).toBe(before)
})
