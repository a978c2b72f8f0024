import { shownPolicy } from '../../backups/protection.ts'
import { compliancePolicyNotFound } from '../../domain/backups/not-found.ts'
import { compliancePolicies } from '../../persistence/compliance-policies.ts'
import { operation } from '../operation.ts'
import { resource } from '../response.ts'

export default operation('getCompliancePolicy', async ({ world, path, now }) => {
  const policy = await compliancePolicies.get(world.database, path.groupId)
  if (!policy) throw compliancePolicyNotFound()
  return resource(shownPolicy(policy, now), 'getCompliancePolicy', path)
})
