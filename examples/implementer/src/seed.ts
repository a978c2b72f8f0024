import { roles } from '@svc-admin/types'
import type { Grant, Holder } from './holders.ts'
import type { Service } from './service.ts'

// The initial data: two organizations, three projects, and credentials for each role.
// The target file contains the same IDs.
// All credentials use the secret that is passed at startup.

export const ids = {
  orgId: '65b0a0a10f3a5d6e7f80a001',
  groupId: '65b0a1c20f3a5d6e7f80a101',
  neighbor: '65b0a1c20f3a5d6e7f80a102',
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
    grants: [scope === 'project' ? { role, groupId: ids.groupId } : { role, orgId: ids.orgId }],
  })),
  { id: 'no-role', grants: [] },
  { id: 'neighbor', grants: [{ role: 'PROJECT_OWNER', groupId: ids.neighbor }] },
  {
    id: 'restricted',
    grants: [{ role: 'PROJECT_OWNER', groupId: ids.groupId }],
    accessList: ['203.0.113.0/24'],
  },
]

/** Adds another tenant's configuration and alert, which callers must not see. */
const addForeignResources = ({ world, clock }: Service): void => {
  const [groupId, orgId, created] = [ids.foreign, ids.foreignOrgId, clock.now()]
  const eventTypeName = 'HOST_DOWN'
  const config = {
    id: ids.foreignConfig,
    groupId,
    created,
    updated: created,
    enabled: true,
    eventTypeName,
    notifications: [{ typeName: 'ORG' as const, notifierId: world.id() }],
  }
  world.configs.set(config.id, config)
  const id = ids.foreignAlert
  const status = 'OPEN' as const
  world.alerts.set(id, { id, groupId, orgId, config, eventTypeName, created, updated: created, status })
}

export const seed = (service: Service, secret: string): void => {
  for (const [id, orgId] of [
    [ids.groupId, ids.orgId],
    [ids.neighbor, ids.orgId],
    [ids.foreign, ids.foreignOrgId],
  ] as const)
    service.world.projects.set(id, { id, orgId })
  addForeignResources(service)
  for (const { id, ...rest } of credentials) {
    const holder: Holder = { name: `${id}@alerts.example`, ...rest }
    service.digest.add(id, secret, holder)
    service.tokens.add(id, secret, holder)
  }
}
