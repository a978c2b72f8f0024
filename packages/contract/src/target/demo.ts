import { loadDemo } from '@svc-admin/spec'
import type { RoleId } from '@svc-admin/types'
import { type Json, type JsonObject, listAt, stringAt } from '../document/json.ts'
import { type Rows, resourceIdsOf } from './demo-resources.ts'
import { roleIds } from './role-ids.ts'
import type { Holder, ResourceIds, Target, TargetCluster } from './target.ts'

const text = (row: JsonObject | undefined, name: string): string => stringAt(row, name) ?? ''

const roleOf = (row: JsonObject): { role: string; scope: string } | undefined => {
  const roles = listAt(row, 'roles')
  const [first] = roles
  if (roles.length !== 1 || first === undefined) return undefined
  return {
    role: stringAt(first, 'role') ?? '',
    scope: stringAt(first, 'groupId') ?? stringAt(first, 'orgId') ?? '',
  }
}

const isRestricted = (row: JsonObject): boolean => listAt(row, 'accessList').length > 0

type Wanted = (row: JsonObject) => boolean

/** Returns the holder with an API key and a service account that both meet the condition. */
const holderOf = (keys: readonly JsonObject[], accounts: readonly JsonObject[], wanted: Wanted): Holder => {
  const [key, account] = [keys.find(wanted), accounts.find(wanted)]
  return {
    ...(key && { apiKey: { publicKey: text(key, 'publicKey'), privateKey: text(key, 'privateKey') } }),
    ...(account && {
      serviceAccount: { clientId: text(account, 'clientId'), clientSecret: text(account, 'clientSecret') },
    }),
  }
}

const clusterOf = (row: JsonObject): TargetCluster => {
  const hostname: Json | undefined = listAt(row, 'hostnames')[0]
  const known = typeof hostname === 'string' ? { hostname } : {}
  return { name: text(row, 'name'), tier: text(row, 'tier'), ...known }
}

const idsOf = (rows: Rows, orgId: string, groupId: string): ResourceIds => {
  const inGroup = (name: string) => (rows[name] ?? []).find((row) => row.groupId === groupId)
  const cluster = inGroup('clusters')
  const hostname = listAt(cluster, 'hostnames')[0]
  const alert = inGroup('alerts')
  return {
    ...resourceIdsOf(rows, orgId, groupId),
    groupId,
    ...(alert && { alertId: text(alert, 'id') }),
    ...(inGroup('alertConfigs') && { alertConfigId: text(inGroup('alertConfigs'), 'id') }),
    ...(cluster && { clusterName: text(cluster, 'name') }),
    ...(typeof hostname === 'string' && { hostname }),
  }
}

/**
 * Creates the target for a server with the demo organization. The caller belongs to the first organization.
 * The last organization is the other tenant.
 *
 * @param demo The organizations, if their names differ from the documented names.
 * @example
 * const target = demoTarget({ baseUrl: 'http://127.0.0.1:8080', control: 'http://127.0.0.1:8081' })
 */
export const demoTarget = (
  address: Pick<Target, 'baseUrl'> & Partial<Target>,
  demo: Rows = loadDemo(),
): Target => {
  const { organizations = [], projects = [], apiKeys = [], serviceAccounts = [], clusters = [] } = demo
  const orgId = text(organizations[0], 'id')
  const foreignOrgId = text(organizations.at(-1), 'id')
  const groupId = text(
    projects.find((project) => project.orgId === orgId),
    'id',
  )
  const foreignGroup = text(
    projects.find((project) => project.orgId === foreignOrgId),
    'id',
  )
  const find = (wanted: Wanted): Holder => holderOf(apiKeys, serviceAccounts, wanted)
  const holds = (role: RoleId) => (row: JsonObject) => {
    const held = roleOf(row)
    return !isRestricted(row) && held?.role === role && (held.scope === groupId || held.scope === orgId)
  }
  const roles = Object.fromEntries(roleIds.map((role) => [role, find(holds(role))]))
  const elsewhere = projects
    .filter((project) => project.orgId === orgId && project.id !== groupId)
    .map(({ id }) => id)
  return {
    things: idsOf(demo, orgId, groupId),
    foreign: idsOf(demo, foreignOrgId, foreignGroup),
    // A sandbox can be reset, so it doesn't matter if resources are lost.
    ...(address.control !== undefined && { foreignMayBeLost: true }),
    clusters: clusters.filter((cluster) => cluster.groupId === groupId).map(clusterOf),
    roles,
    others: {
      noRole: find((row) => listAt(row, 'roles').length === 0),
      otherProject: find((row) => elsewhere.includes(roleOf(row)?.scope ?? '')),
      restricted: find(isRestricted),
    },
    ...address,
  }
}
