import { loadDemo } from '@svc-admin/spec'
import { describe, expect, it } from 'vitest'
import { advance, configs, configure, happen, sentFor } from '../../test/alerts.ts'
import {
  type CheckedServer,
  orgId,
  projectId,
  startChecked,
  type TestResponse,
} from '../../test/checked-server.ts'

const staging = '64b7e1c20f3a5d6e7f809102'
const inGroup = `/groups/${projectId}`
const inCluster = `${inGroup}/clusters/orders-eu/backup`

const demo = loadDemo()
type Row = NonNullable<(typeof demo)[string]>[number]
const firstOf = (collection: string): Row => demo[collection]?.[0] ?? {}

async function seed(server: CheckedServer, collection: string, row: object): Promise<void> {
  expect((await server.control('POST', '/seed', { [collection]: [row] })).body).toEqual({})
}

/** Copies a row to a different project and cluster. */
const moved = (row: Row): Row =>
  JSON.parse(JSON.stringify(row).replaceAll(projectId, staging).replaceAll('orders-eu', 'orders-eu-staging'))

const idsOf = (response: TestResponse, field: string): unknown[] =>
  response.listAt('results').map((one) => one[field])

describe('a resource seeded again under the same ID', () => {
  it.each([
    'alerts',
    'alertConfigs',
    'cloudProviderAccessRoles',
    'exportBuckets',
    'exportJobs',
    'migrations',
    'migrationValidations',
    'restoreJobs',
    'searchIndexes',
    'snapshots',
  ])('exists only in the place where it was seeded last: %s', async (collection) => {
    const server = await startChecked()
    const row = firstOf(collection)
    const other = moved(row)
    const statuses = () =>
      Promise.all([row, other].map(async ({ self }) => (await server.ask(`${self}`)).status))
    expect(await statuses()).toEqual([200, 404])
    await seed(server, collection, other)
    expect(await statuses()).toEqual([404, 200])
    await seed(server, collection, row)
    expect(await statuses()).toEqual([200, 404])
  })

  it('leaves the list of its previous place, and its count', async () => {
    const server = await startChecked()
    const lists = [`${inGroup}/alerts`, `/groups/${staging}/alerts`, `${inGroup}/alerts?status=OPEN`]
    const read = () =>
      Promise.all(
        lists.map(async (list) => {
          const response = await server.ask(list)
          return { ids: idsOf(response, 'id'), total: response.at('totalCount') }
        }),
      )
    for (const { ids, total } of await read()) expect(total).toBe(ids.length)
    const alert = firstOf('alerts')
    await seed(server, 'alerts', moved(alert))
    const [here, there, open] = await read()
    for (const list of [here, open]) expect(list?.ids).not.toContain(alert.id)
    expect(there?.ids).toContain(alert.id)
    for (const list of [here, there, open]) expect(list?.total).toBe(list?.ids.length)
  })

  it.each([
    ['alerts', `${inGroup}/alerts`, 'created'],
    ['alertConfigs', `${inGroup}/alertConfigs`, 'created'],
    ['snapshots', `${inCluster}/snapshots`, 'createdAt'],
    ['exportJobs', `${inCluster}/exports`, 'createdAt'],
  ])('is listed by the time that it was last seeded with: %s', async (collection, list, created) => {
    const server = await startChecked()
    const before = idsOf(await server.ask(list), 'id')
    const last = before.at(-1)
    expect(before.length).toBeGreaterThan(1)
    const row = demo[collection]?.find(({ id }) => id === last)
    await seed(server, collection, { ...row, [created]: '2024-01-01T00:00:00Z' })
    expect(idsOf(await server.ask(list), 'id')).toEqual([last, ...before.slice(0, -1)])
  })

  it('has the kind that it was last seeded with', async () => {
    const server = await startChecked()
    const { id } = firstOf('snapshots')
    const instance = `${inGroup}/serverless/reports-serverless/backup`
    await seed(server, 'serverlessSnapshots', { ...firstOf('serverlessSnapshots'), id })
    expect((await server.ask(`${inCluster}/snapshots/${id}`)).status).toBe(404)
    expect((await server.ask(`${instance}/snapshots/${id}`)).status).toBe(200)
  })
})

describe('a resource seeded in a place that already has one', () => {
  it('is a cluster with only its own hosts', async () => {
    const server = await startChecked()
    const cluster = firstOf('clusters')
    const statusOf = async (host: string) =>
      (await server.ask(`${inGroup}/dbAccessHistory/processes/${host}`)).status
    const [host = ''] = Array.isArray(cluster.hostnames) ? cluster.hostnames.map(String) : []
    expect(await statusOf(host)).toBe(200)
    await seed(server, 'clusters', { ...cluster, hostnames: ['new.db.svc.example'] })
    expect([await statusOf(host), await statusOf('new.db.svc.example')]).toEqual([404, 200])
  })

  it('replaces the projects that an organization can migrate from', async () => {
    const server = await startChecked()
    const list = firstOf('migrationProjects')
    const path = `/orgs/${orgId}/liveMigrations/availableProjects`
    const projects = [{ projectId: 'a'.repeat(24), name: 'only', deployments: [], migrationHosts: [] }]
    await seed(server, 'migrationProjects', { ...list, projects })
    expect((await server.ask(path)).listAt().map(({ name }) => name)).toEqual(['only'])
  })

  it('moves the alerts of a configuration with it', async () => {
    const server = await startChecked()
    const targets = (notifierId: string) => [
      { typeName: 'EMAIL', emailAddress: 'a@svc.example', notifierId, intervalMin: 5 },
    ]
    const id = await configure(server, { notifications: targets('old') })
    const alertId = await happen(server)
    const { links: _, ...row } = JSON.parse((await server.ask(`${configs}/${id}`)).text)
    const told = async () => (await sentFor(server, alertId)).map(({ notifierId }) => notifierId)
    await seed(server, 'alertConfigs', { ...row, enabled: false })
    await advance(server, 60)
    expect(await told()).toEqual(['old'])
    await seed(server, 'alertConfigs', { ...row, notifications: targets('new') })
    expect(await told()).toEqual(['old', 'new'])
  })
})
