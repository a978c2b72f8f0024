import { problem } from '../../domain/problem.ts'
import { Stored } from '../../domain/stored.ts'
import type { AccessRole } from '../../persistence/access-roles.ts'
import type { Session } from '../../persistence/database.ts'
import { type FeatureUsage, featureUsagesOf } from '../../persistence/feature-usages.ts'
import { resource } from '../response.ts'

/** Builds a role's document, including a list of the features that use the role. */
export function shownRole(role: AccessRole, featureUsages: readonly FeatureUsage[]) {
  return Stored.of({ ...role.document.value(), featureUsages: [...featureUsages] })
}

export async function roleResponse(session: Session, role: AccessRole) {
  const { groupId, id } = role
  const usages = (await featureUsagesOf(session, groupId)).get(id) ?? []
  return resource(shownRole(role, usages), 'getCloudProviderAccessRole', { groupId, roleId: id })
}

export function roleNotFound(id: string) {
  return problem('RESOURCE_NOT_FOUND', { detail: `No access role with the ID ${id} exists in the project.` })
}
