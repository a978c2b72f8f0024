import {
  type AuditingChange,
  canAudit,
  changedAuditing,
  initialAuditing,
  isJson,
  needingAuditing,
} from '../../domain/auditing/auditing-config.ts'
import { problem } from '../../domain/problem.ts'
import { Stored } from '../../domain/stored.ts'
import { auditingConfigs } from '../../persistence/auditing-configs.ts'
import { clusters } from '../../persistence/clusters.ts'
import type { Transaction } from '../../persistence/database.ts'
import { operation } from '../operation.ts'
import { resource } from '../response.ts'

export default operation('updateAuditingConfig', async ({ world, path, body }) => {
  const { groupId } = path
  requireJson(body)
  return world.database.transaction(async (transaction) => {
    const before = await auditingConfigs.lock(transaction, groupId, Stored.of(initialAuditing))
    await requireTier(transaction, groupId, needingAuditing(before.value(), body))
    const document = Stored.of(changedAuditing(before.value(), body))
    await auditingConfigs.put(transaction, groupId, document)
    return resource(document, 'getAuditingConfig', path)
  })
})

function requireJson({ auditFilter }: AuditingChange): void {
  if (auditFilter === undefined || isJson(auditFilter)) return
  throw problem('VALIDATION_ERROR', {
    detail: 'The field /auditFilter must be a JSON document.',
    parameters: ['/auditFilter'],
  })
}

async function requireTier(transaction: Transaction, groupId: string, fields: readonly string[]) {
  if (fields.length === 0) return
  const tiers = await clusters.tiers(transaction, groupId)
  if (canAudit(tiers)) return
  throw problem('TIER_NOT_SUPPORTED', {
    detail: `Auditing is not available for clusters of tier ${tiers.join(', ')}.`,
    parameters: fields.map((name) => `/${name}`),
  })
}
