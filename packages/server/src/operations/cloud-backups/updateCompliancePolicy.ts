import { fitSchedules, settledClusters, settlePolicy, shownPolicy } from '../../backups/protection.ts'
import type { CompliancePolicyDocument, PolicyItem } from '../../domain/backups/backup-schemas.ts'
import { initialPolicyState, policyStateAfter } from '../../domain/backups/compliance.ts'
import { requireGrowingRetention, requireWindowWithinHourly } from '../../domain/backups/policy-rules.ts'
import { problem } from '../../domain/problem.ts'
import { Stored } from '../../domain/stored.ts'
import { timestamp } from '../../domain/timestamp.ts'
import { type CompliancePolicy, compliancePolicies } from '../../persistence/compliance-policies.ts'
import { DuplicateError, type Transaction } from '../../persistence/database.ts'
import { type OperationInput, operation } from '../operation.ts'
import { resource } from '../response.ts'

type Input = OperationInput<'updateCompliancePolicy'>

/** Replaces the policy. Omitted fields are removed or reset to their defaults. */
export default operation('updateCompliancePolicy', async (input) => {
  const { world, path, query, now } = input
  check(input)
  const document = documentOf(input)
  const overwrites = query.overwriteBackupPolicies !== false
  // Store the previous policy's state first, because the policy may have become active after the schedules were last
  // read.
  await settlePolicy(world, path.groupId, now)
  const affected = overwrites ? await settledClusters(world, path.groupId, now) : []
  const policy = await world.database.transaction(async (transaction) => {
    const put = await putPolicy(transaction, path.groupId, { document, overwrites }, now)
    await fitSchedules(transaction, world, affected, document, now)
    return put
  })
  return resource(shownPolicy(policy, now), 'getCompliancePolicy', path)
})

function check({ path, body }: Input): void {
  const { projectId, scheduledPolicyItems = [], restoreWindowDays } = body
  if (projectId !== undefined && projectId !== path.groupId) {
    throw problem('VALIDATION_ERROR', {
      detail: 'The field /projectId must be the ID of the project in the path.',
      parameters: ['/projectId'],
    })
  }
  requireGrowingRetention(scheduledPolicyItems, '/scheduledPolicyItems')
  requireWindowWithinHourly(restoreWindowDays, scheduledPolicyItems)
}

function documentOf({ path, body, world, now, principal }: Input): CompliancePolicyDocument {
  const named = (item: PolicyItem): PolicyItem => ({ ...item, id: item.id ?? world.ids.next(now) })
  const { onDemandPolicyItem, scheduledPolicyItems, ...rest } = body
  return {
    ...rest,
    projectId: path.groupId,
    // The generated type requires fields that have a default, although requests can omit them.
    copyProtectionEnabled: body.copyProtectionEnabled ?? false,
    encryptionAtRestEnabled: body.encryptionAtRestEnabled ?? false,
    pitEnabled: body.pitEnabled ?? false,
    ...(onDemandPolicyItem ? { onDemandPolicyItem: named(onDemandPolicyItem) } : {}),
    ...(scheduledPolicyItems ? { scheduledPolicyItems: scheduledPolicyItems.map(named) } : {}),
    updatedDate: timestamp(now),
    /**
     * The specification source defines the field as an email address. API keys have no email address, so the value is
     * the key's ID with a domain that can't exist.
     */
    updatedUser: `${principal.id}@svc.example`,
  }
}

async function putPolicy(
  transaction: Transaction,
  groupId: string,
  { document, overwrites }: { readonly document: CompliancePolicyDocument; readonly overwrites: boolean },
  now: number,
): Promise<CompliancePolicy> {
  const before = await compliancePolicies.find(transaction, groupId)
  const shared = { groupId, since: now, overwrites, document: Stored.of(document) }
  if (before) {
    const state = policyStateAfter(before, now, 'updateCompliancePolicy')
    const policy = { ...shared, state, deletable: before.deletable }
    await compliancePolicies.replace(transaction, policy)
    return policy
  }
  const policy = { ...shared, state: initialPolicyState, deletable: false }
  try {
    await compliancePolicies.add(transaction, policy)
    return policy
  } catch (error) {
    if (!(error instanceof DuplicateError)) throw error
    throw problem('INVALID_STATE', {
      detail: 'Another request is currently updating the backup compliance policy.',
    })
  }
}
