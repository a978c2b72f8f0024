import { roles } from '@svc-admin/types'
import type { Grant, Holder } from './holders.ts'
import type { Service } from './service.ts'

// What is there at the start: two organizations, three projects, a credential for each role. The target file names
// the same. Every key has the one secret that the server is started with.

export const things = {
  orgId: '65b0a0a10f3a5d6e7f80a001',
  groupId: '65b0a1c20f3a5d6e7f80a101',
  neighbour: '65b0a1c20f3a5d6e7f80a102',
  foreignOrgId: '65b0a0a10f3a5d6e7f80a002',
  foreign: '65b0a1c20f3a5d6e7f80a201',
  foreignConfig: '65b0a2d30f3a5d6e7f80a301',
  foreignAlert: '65b0a3e40f3a5d6e7f80a401',
} as const

interface Credential {
  readonly id: string
  readonly grants: readonly Grant[]
  readonly accessList?: readonly string[]
}

const credentials: Credential[] = [
  ...Object.entries(roles).map(([role, { scope }]) => ({
    id: role.toLowerCase().replaceAll('_', '-'),
    grants: [scope === 'project' ? { role, groupId: things.groupId } : { role, orgId: things.orgId }],
  })),
  { id: 'no-role', grants: [] },
  { id: 'neighbour', grants: [{ role: 'PROJECT_OWNER', groupId: things.neighbour }] },
  {
    id: 'restricted',
    grants: [{ role: 'PROJECT_OWNER', groupId: things.groupId }],
    accessList: ['203.0.113.0/24'],
  },
]

/** A configuration and an alert of another tenant, which nobody here may learn of. */
const hideSomething = ({ world, clock }: Service): void => {
  const [groupId, orgId, created] = [things.foreign, things.foreignOrgId, clock.now()]
  const eventTypeName = 'HOST_DOWN'
  const config = {
    ...{ id: things.foreignConfig, groupId, created, updated: created, enabled: true, eventTypeName },
    notifications: [{ typeName: 'ORG' as const, notifierId: world.id() }],
  }
  world.configs.set(config.id, config)
  const id = things.foreignAlert
  const status = 'OPEN' as const
  world.alerts.set(id, { id, groupId, orgId, config, eventTypeName, created, updated: created, status })
}

export const seed = (service: Service, secret: string): void => {
  for (const [id, orgId] of [
    [things.groupId, things.orgId],
    [things.neighbour, things.orgId],
    [things.foreign, things.foreignOrgId],
  ] as const)
    service.world.projects.set(id, { id, orgId })
  hideSomething(service)
  for (const { id, ...rest } of credentials) {
    const holder: Holder = { name: `${id}@alerts.example`, ...rest }
    service.digest.add(id, secret, holder)
    service.tokens.add(id, secret, holder)
  }
}
