import type { AuditingDocument } from '../domain/auditing/auditing-config.ts'
import { Stored } from '../domain/stored.ts'
import { auditingConfigs } from '../persistence/auditing-configs.ts'
import { customDns } from '../persistence/custom-dns.ts'
import { outageSimulations } from '../persistence/outage-simulations.ts'
import { type Fields, fieldsOf, list, text, time } from './fields.ts'
import { seedPathOf } from './seed-path.ts'
import type { Seeding } from './seeding.ts'

export async function seedAuditingConfig({ transaction }: Seeding, fields: Fields): Promise<void> {
  const { self: _self, links: _links, ...document } = fields
  const stored = Stored.from<AuditingDocument>(JSON.stringify(document))
  await auditingConfigs.put(transaction, seedPathOf(fields).groupId, stored)
}

export async function seedCustomDns({ transaction }: Seeding, fields: Fields): Promise<void> {
  await customDns.put(transaction, seedPathOf(fields).groupId, fields.enabled === true)
}

/** Seeds a simulation. The simulation enters its state at the time of seeding. */
export async function seedOutageSimulation({ transaction, now }: Seeding, fields: Fields): Promise<void> {
  const { groupId, clusterName } = seedPathOf(fields)
  await outageSimulations.put(transaction, {
    id: text(fields, 'id'),
    groupId,
    clusterName,
    state: text(fields, 'state'),
    since: now,
    startedAt: time(text(fields, 'startRequestDate'), 'startRequestDate'),
    filters: list(fields, 'outageFilters').map((item) => ({ ...fieldsOf(item, 'An outage filter') })),
  })
}
