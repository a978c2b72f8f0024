import type { Facts, OpenApiDocument } from '../src/model.ts'
import { operationsOf } from './walk.ts'

/**
 * Adds a sentence about the required roles to each operation's description, because other tools don't show `x-roles`.
 */
export function describeRoles(document: OpenApiDocument, roles: Facts['roles']): void {
  for (const { operation } of operationsOf(document)) {
    const { 'x-roles': needed } = operation
    if (needed) operation.description += `\n\n${roleNotice(needed, roles)}`
  }
}

/**
 * Returns a sentence about the roles that an operation requires. Roles that include one of the required roles aren't
 * listed. Instead, the sentence ends with "or higher".
 *
 * @example
 * roleNotice(['PROJECT_READ_ONLY', 'PROJECT_BACKUP_MANAGER'], roles)
 * // 'Requires the Project Read Only role or higher.'
 */
export function roleNotice(needed: readonly string[], roles: Facts['roles']): string {
  if (needed.includes('ANY')) return 'Requires any organization or project role.'
  const includesAny = (id: string, others: readonly string[]): boolean =>
    (roles[id]?.includes ?? []).some((each) => others.includes(each) || includesAny(each, others))
  const higher = Object.keys(roles).filter((id) => includesAny(id, needed))
  const isComplete = higher.every((id) => needed.includes(id))
  const named = isComplete ? needed : needed.filter((id) => !higher.includes(id))
  const names = named.map((id) => roles[id]?.name ?? id).join(' or ')
  if (isComplete) return `Requires the ${names} role.`
  return `Requires the ${names} role${named.length > 1 ? ',' : ''} or higher.`
}
