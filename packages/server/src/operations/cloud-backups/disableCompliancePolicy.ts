import { settlePolicy } from '../../backups/protection.ts'
import { policyStateAfter } from '../../domain/backups/compliance.ts'
import { compliancePolicyNotFound } from '../../domain/backups/not-found.ts'
import { problem } from '../../domain/problem.ts'
import { compliancePolicies } from '../../persistence/compliance-policies.ts'
import { operation } from '../operation.ts'
import { empty } from '../response.ts'

export default operation('disableCompliancePolicy', async ({ world, path, now }) => {
  await settlePolicy(world, path.groupId, now)
  return world.database.transaction(async (transaction) => {
    const policy = await compliancePolicies.find(transaction, path.groupId)
    if (!policy) throw compliancePolicyNotFound()
    if (!policy.deletable) {
      const detail = 'The backup compliance policy can only be disabled after a support ticket.'
      throw problem('COMPLIANCE_POLICY_ACTIVE', { detail })
    }
    policyStateAfter(policy, now, 'disableCompliancePolicy')
    await compliancePolicies.remove(transaction, path.groupId)
    return empty
  })
})
