import { loadDemo } from '@svc-admin/spec'
import { type RoleId, roles, versions } from '@svc-admin/types'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CheckedServer, noon, orgId, projectId, startUntilStopped } from '../../test/checked-server.ts'
import { type Route, type RouteVersion, routesOf } from './route-table.ts'

/** Tests all combinations of operations, versions and roles in the specification. */

let server: CheckedServer
beforeAll(async () => {
  server = await startUntilStopped()
  // A future date doesn't select a version, so set the clock to the date of the latest version.
  const latest = Math.max(noon, ...versions.flatMap(({ id }) => Date.parse(id) || []))
  await server.control('PUT', '/clock', { now: new Date(latest).toISOString() })
})
afterAll(() => server.stop())

const demo = loadDemo()

/** Returns demo credentials that only have the given role, and belong to a separate organization. */
function holderOf(role: RoleId): string {
  const own = (demo.apiKeys ?? []).find((key) => {
    const [only, ...more] = Array.isArray(key.roles) ? key.roles : []
    const { role: held, groupId = projectId, orgId = '64b7e0a10f3a5d6e7f809001' } = Object(only)
    const here = groupId === projectId && orgId === '64b7e0a10f3a5d6e7f809001'
    return held === role && more.length === 0 && here && key.accessList === undefined
  })
  if (!own) throw new Error(`Nobody in the demo holds ${role} alone`)
  return String(own.publicKey)
}

const included: Readonly<Record<string, { readonly includes: readonly string[] }>> = roles

function contains(role: string, needed: readonly string[]): boolean {
  if (needed.includes(role) || needed.includes('ANY')) return true
  return (included[role]?.includes ?? []).some((inner) => contains(inner, needed))
}

const cells = routesOf().flatMap((route) =>
  route.row.security === 'api' ? route.versions.map((version) => ({ route, version })) : [],
)
const roleIds = Object.keys(roles).filter((id): id is RoleId => id in roles)

/**
 * Valid IDs that don't belong to any resource. If the role is sufficient, requests return 404, or 400 because the body
 * is missing.
 */
const nothing: Readonly<Record<string, string>> = {
  orgId,
  groupId: projectId,
  cloudProvider: 'AWS',
  clusterName: 'nobody',
  hostname: 'nobody',
}

async function statusOf(route: Route, version: RouteVersion, as: string, groupId = projectId) {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'groupId' ? groupId : (nothing[name] ?? 'f'.repeat(24)),
  )
  const query = path.slice(route.prefix.length)
  const ask = { method: route.row.method, as, accept: version.mediaType }
  return (await (route.generation === 'v1.0' ? server.askV1 : server.ask)(query, ask)).status
}

describe.each(cells.map((cell) => [`${cell.route.row.id} of ${cell.version.id}`, cell] as const))(
  '%s',
  (_, { route, version }) => {
    it.each(roleIds)('allows %s only if the role is sufficient', async (role) => {
      const status = await statusOf(route, version, holderOf(role))
      if (contains(role, version.roles)) expect([200, 204, 400, 404]).toContain(status)
      else expect(status).toBe(403)
    })

    if (route.path.includes('{groupId}')) {
      it('reveals nothing to callers without access', async () => {
        for (const stranger of ['foreignk', 'norolekk', 'stagownr']) {
          expect(await statusOf(route, version, stranger)).toBe(404)
        }
        expect(await statusOf(route, version, 'orgowner', '0'.repeat(24))).toBe(404)
      })
    } else if (route.path.includes('{orgId}')) {
      it('reveals nothing to callers without access', async () => {
        for (const stranger of ['foreignk', 'norolekk']) {
          expect(await statusOf(route, version, stranger)).toBe(404)
        }
      })
    } else {
      it('rejects callers without any role', async () => {
        expect(await statusOf(route, version, 'norolekk')).toBe(403)
      })
    }
  },
)

it('returns 403 to callers without any role if any role is sufficient', async () => {
  const refused = await server.ask('/alertConfigs/matchers/fieldNames', { as: 'norolekk' })
  expect(refused.at('detail')).toBe('The operation requires a role in an organization or project.')
})

it("returns the same error for a missing project and for another caller's project", async () => {
  const unknown = await server.ask(`/groups/${'0'.repeat(24)}/alerts`)
  const foreign = await server.ask(`/groups/${projectId}/alerts`, { as: 'foreignk' })
  expect(foreign.text.replaceAll(projectId, '')).toBe(unknown.text.replaceAll('0'.repeat(24), ''))
})
