import { type Json, loadDemo } from '@svc-admin/spec'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CheckedServer, projectId } from '../checked-server.ts'
import { askOf, bodiesOf, type Cell, cells, type PathValues, pathValuesOf } from '../documented.ts'
import { rowsOf, startIdle } from '../stored-rows.ts'
import { identifiersIn, twinOf, twinOfDemo, twinOwner } from '../twin.ts'

/**
 * Tests API1:2023, broken object level authorization. The attacker owns an organization, and requests the victim's
 * resources with every operation in every version. The victim is the demo organization, which appears in the documents'
 * examples. The attacker is a copy of the demo, whose resources have the same names.
 */
const victim = 'orgowner'
const attacker = twinOwner

let server: CheckedServer
beforeAll(async () => {
  server = await startIdle()
  await server.control('POST', '/seed', twinOfDemo())
})
afterAll(() => server.stop())

const ask = (cell: Cell, as: string, values: PathValues, body?: Json) =>
  askOf(server, cell, { as, values, ...(body === undefined ? {} : { json: body }) })

/** Returns everything in the database that belongs to the victim. */
const kept = async () =>
  (await rowsOf(server))
    .filter((row) => row.includes(projectId))
    .sort()
    .join('\n')

const placed = cells.filter(({ route }) => /\{(groupId|orgId)\}/.test(route.path))
const named = placed.map((cell) => [cell.name, cell] as const)
const victims = new Set(identifiersIn(loadDemo()))
const first = (values: readonly PathValues[]): PathValues => values[0] ?? {}

/** Returns the victim's path parameters, in which the project or organization is replaced with the attacker's. */
function throughOwn(values: PathValues): PathValues {
  const own = twinOf({ ...values })
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, tenant.has(name) ? (own[name] ?? value) : value]),
  )
}

const tenant = new Set(['groupId', 'orgId'])

/** Returns whether a path contains the ID of a resource, and not just the tenant's ID. IDs are globally unique. */
const identified = (values: PathValues): boolean =>
  Object.entries(values).some(([name, value]) => !tenant.has(name) && victims.has(value))

/** Operations whose body can refer to a project of another caller, because a migration's source is external. */
const openSources = new Set(['createMigration', 'validateMigration'])

/** Fields that refer to other parts of the body, or to parts of a cluster that the server doesn't check. */
const labels = new Set(['notifierId', 'id', 'replicationSpecId', 'zoneId'])

/** Requests to the attacker's own project. Their bodies refer to the victim's resources. */
const bodiesWithForeign = placed.flatMap((cell) =>
  bodiesOf(cell).flatMap((body) =>
    !openSources.has(cell.route.row.id) && refersToOthers(body) ? [[cell.name, cell, body] as const] : [],
  ),
)

function refersToOthers(body: Json): boolean {
  const without = JSON.stringify(body, (name, value: unknown) => (labels.has(name) ? '' : value))
  return identifiersIn(JSON.parse(without)).some((id) => victims.has(id))
}

let before = ''

it('covers every operation on tenant resources, with resources that their owner finds', async () => {
  expect(placed.length).toBeGreaterThan(120)
  for (const cell of placed) {
    expect([cell.name, pathValuesOf(cell).length]).not.toEqual([cell.name, 0])
    if (cell.route.row.method !== 'GET') continue
    const found = await ask(cell, victim, first(pathValuesOf(cell)))
    expect([cell.name, found.status]).toEqual([cell.name, 200])
  }
  before = await kept()
})

it.each(bodiesWithForeign)(
  "%s rejects a body that refers to the victim's resources",
  async (_, cell, body) => {
    const response = await ask(cell, attacker, twinOf({ ...first(pathValuesOf(cell)) }), body)
    expect([response.status, response.at('errorCode')]).toEqual([404, 'RESOURCE_NOT_FOUND'])
  },
)

it('covers every operation that looks up a resource from the body', () => {
  const ids = new Set(bodiesWithForeign.map(([, { route }]) => route.row.id))
  expect([...ids].sort()).toEqual([
    'createExportBucket',
    'createExportJob',
    'createRestoreJob',
    'createServerlessRestoreJob',
    'updateBackupSchedule',
  ])
})

describe.each(named)('%s', (_, cell) => {
  const all = pathValuesOf(cell)
  const bodies = bodiesOf(cell)

  it('finds no resource of the victim, even with a valid body', async () => {
    for (const body of bodies.length > 0 ? bodies : [undefined]) {
      const response = await ask(cell, attacker, first(all), body)
      expect([response.status, response.at('errorCode')]).toEqual([404, 'RESOURCE_NOT_FOUND'])
    }
  })

  it("finds no resource of the victim through the attacker's own project", async () => {
    const [body] = bodies
    const own = body === undefined ? undefined : twinOf(body)
    for (const values of all.slice(0, 3)) {
      const response = await ask(cell, attacker, throughOwn(values), own)
      if (identified(values)) expect(response.status).toBe(404)
      const told = identifiersIn(response.body).filter((id) => victims.has(id))
      const asked = identifiersIn(throughOwn(values))
      expect(told.filter((id) => !asked.includes(id))).toEqual([])
    }
  })

  const clusterNames = new Set(all.flatMap(({ clusterName }) => clusterName ?? []))
  if (clusterNames.size > 0 && identified(first(all))) {
    it('finds no resource of a cluster through another cluster of the same project', async () => {
      const values = twinOf({ ...first(all) })
      const others = [...clusterNames, 'orders-global', 'orders-eu', 'reports-flex']
      const clusterName = others.find((name) => name !== values.clusterName) ?? ''
      const [body] = bodies
      const own = body === undefined ? undefined : twinOf(body)
      expect((await ask(cell, attacker, { ...values, clusterName }, own)).status).toBe(404)
    })
  }
})

it('leaves the victim unchanged', async () => {
  expect(before).toContain(projectId)
  expect(await kept()).toBe(before)
})
