import { loadDemo } from '@svc-admin/spec'
import { limits } from '@svc-admin/types'
import { describe, expect, it } from 'vitest'
import { type CheckedServer, orgId, projectId, startChecked } from '../../test/checked-server.ts'

/**
 * The OpenAPI documents limit the length of lists for which the specification source has no limit. This number exceeds
 * that limit by one.
 */
const many = limits.list.maxItems + 1
const project = `/groups/${projectId}`
const cluster = `${project}/clusters/orders-eu`
const oldest = 'application/vnd.svc.2023-01-01+json'

const idOf = (index: number) => (0x10000 + index).toString(16).padStart(24, '0')

type Collection = keyof ReturnType<typeof loadDemo>

/** Seeds `many` copies of a demo resource. The fields that identify the resource are different in each copy. */
async function seedMany(server: CheckedServer, collection: Collection, own: (id: string) => object) {
  const [like] = loadDemo()[collection] ?? []
  const items = Array.from({ length: many }, (_, index) => ({
    ...like,
    ...own(idOf(index)),
  }))
  expect((await server.control('POST', '/seed', { [collection]: items })).status).toBe(200)
}

/** Returns the length of a list. The test server checks that the response is valid. */
async function lengthAt(server: CheckedServer, path: string, ...at: string[]): Promise<unknown> {
  const list = (await server.ask(path)).at(...at)
  return Array.isArray(list) ? list.length : undefined
}

describe('a list without pages matches its document at any length:', () => {
  it('indexes of a cluster and of a collection, in both formats', async () => {
    const server = await startChecked()
    await seedMany(server, 'searchIndexes', (id) => ({
      self: `${cluster}/search/indexes/${id}`,
      indexID: id,
      name: id,
    }))
    expect(await lengthAt(server, `${cluster}/search/indexes`)).toBeGreaterThanOrEqual(many)
    expect(await lengthAt(server, `${cluster}/search/indexes/sales/orders`)).toBeGreaterThanOrEqual(many)
    const older = await server.ask(`${cluster}/fts/indexes/sales/orders`, { accept: oldest })
    expect([older.status, older.at(many - 1)]).toMatchObject([200, { database: 'sales' }])
    const enveloped = await server.ask(`${cluster}/search/indexes?envelope=true`)
    expect(enveloped.at('results', many - 1)).toBeDefined()
  })

  it.each([
    ['AWS', 'awsIamRoles'],
    ['AZURE', 'azureServicePrincipals'],
  ])('roles of %s', async (providerName, list) => {
    const server = await startChecked()
    const path = `${project}/cloudProviderAccess`
    await seedMany(server, 'cloudProviderAccessRoles', (roleId) => ({
      self: `${path}/${roleId}`,
      roleId,
      providerName,
      featureUsages: [],
    }))
    expect(await lengthAt(server, path, list)).toBeGreaterThanOrEqual(many)
  })

  it('usages of a role', async () => {
    const server = await startChecked()
    await seedMany(server, 'exportBuckets', (_id) => ({
      self: `${project}/backup/exportBuckets/${_id}`,
      _id,
    }))
    const role = `${project}/cloudProviderAccess/66d0a1b20f3a5d6e7f80b101`
    expect(await lengthAt(server, role, 'featureUsages')).toBeGreaterThanOrEqual(many)
  })

  it('projects that can be migrated from', async () => {
    const server = await startChecked()
    const path = `/orgs/${orgId}/liveMigrations/availableProjects`
    const projects = Array.from({ length: many }, (_, index) => ({ projectId: idOf(index) }))
    await server.control('POST', '/seed', { migrationProjects: [{ self: path, projects }] })
    expect(await lengthAt(server, path)).toBe(many)
  })
})
