import { loadDemo } from '@svc-admin/spec'
import { expect, it } from 'vitest'
import { day, ordersEu, wait } from '../../test/backups.ts'
import { type CheckedServer, projectId, startChecked } from '../../test/checked-server.ts'

interface State {
  readonly organizations: readonly {
    readonly projects: readonly { readonly id: string; readonly counts: Record<string, number> }[]
  }[]
}

const countsOf = async (server: CheckedServer): Promise<Record<string, number>> => {
  const { organizations }: State = JSON.parse((await server.control('GET', '/state')).text)
  const projects = organizations.flatMap((one) => one.projects)
  return projects.find(({ id }) => id === projectId)?.counts ?? {}
}

it('the state counts what exists by now, whether or not a request has read it', async () => {
  const server = await startChecked()
  await server.control('PUT', '/clock', { rate: 0 })
  await wait(server, 30 * day)
  const before = await countsOf(server)
  await server.ask(`${ordersEu}/snapshots`)
  expect(await countsOf(server)).toEqual(before)
  expect(before.snapshots).toBeGreaterThan(50)
})

it("the state doesn't count deleted Search indexes", async () => {
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

it("the state doesn't count finished outage simulations", async () => {
  const server = await startChecked()
  await server.control('PUT', '/clock', { rate: 0 })
  const counted = async () => (await countsOf(server)).outageSimulations
  const simulated = loadDemo().outageSimulations?.filter(({ groupId }) => groupId === projectId) ?? []
  const [running, over] = ['SIMULATING', 'COMPLETE'].map((state) =>
    simulated.filter((one) => one.state === state),
  )
  expect([running?.length, over?.length, await counted()]).toEqual([1, 1, 1])
  const ending = { method: 'DELETE' }
  await server.ask(`/groups/${projectId}/clusters/orders-global/outageSimulation`, ending)
  expect(await counted()).toBe(1)
  await wait(server, 60)
  expect(await counted()).toBeUndefined()
  await server.control('POST', '/outage-simulations', { groupId: projectId, clusterName: 'orders-eu' })
  expect(await counted()).toBe(1)
})

it('the state counts match the lists of the API', async () => {
  const server = await startChecked()
  const { links: _, ...roles } = Object((await server.ask(`/groups/${projectId}/cloudProviderAccess`)).body)
  const totalOf = async (path: string) => Number((await server.ask(path)).at('totalCount'))
  const clusters = ['orders-eu', 'orders-global', 'orders-archive']
  const ofClusters = async (list: string) => {
    let sum = 0
    for (const name of clusters)
      sum += (await totalOf(`/groups/${projectId}/clusters/${name}/backup/${list}`)) || 0
    return sum
  }
  expect(await countsOf(server)).toMatchObject({
    accessRoles: Object.values(roles).flat().length,
    alertConfigs: await totalOf(`/groups/${projectId}/alertConfigs`),
    alerts: await totalOf(`/groups/${projectId}/alerts`),
    exportBuckets: await totalOf(`/groups/${projectId}/backup/exportBuckets`),
    exportJobs: await ofClusters('exports'),
  })
})

it('the state counts every kind of resource, but no parts or settings', async () => {
  const server = await startChecked()
  const place = { groupId: projectId, clusterName: 'orders-eu' }
  const outageFilters = [{ cloudProvider: 'AWS', regionName: 'EU_WEST_1', type: 'REGION' }]
  await server.control('POST', '/outage-simulations', { ...place, outageFilters })
  const specs = [{ instanceSize: 'S20_HIGHCPU_NVME', nodeCount: 2 }]
  await server.ask(`/groups/${projectId}/clusters/orders-eu/search/deployment`, {
    method: 'POST',
    json: { specs },
  })
  expect(Object.keys(await countsOf(server)).sort()).toEqual([
    'accessLogs',
    'accessRoles',
    'alertConfigs',
    'alerts',
    'clusters',
    'exportBuckets',
    'exportJobs',
    'liveMigrations',
    'migrationValidations',
    'outageSimulations',
    'restoreJobs',
    'searchIndexes',
    'searchNodes',
    'snapshots',
  ])
})
