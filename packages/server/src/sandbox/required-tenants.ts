import type { Session } from '../persistence/database.ts'
import { tenants } from '../persistence/tenants.ts'
import { ControlInputError } from './fields.ts'

/**
 * Checks that an organization exists, either in the database or earlier in the same seed.
 *
 * @throws {ControlInputError} if the organization doesn't exist.
 */
export async function requireOrganization(session: Session, orgId: string): Promise<void> {
  if (await tenants.organization(session, orgId)) return
  throw new ControlInputError(
    `'orgId' must be the ID of an existing organization, not '${orgId.slice(0, 100)}'`,
  )
}

/**
 * Checks that a project exists, either in the database or earlier in the same seed.
 *
 * @throws {ControlInputError} if the project doesn't exist.
 */
export async function requireProject(session: Session, groupId: string): Promise<void> {
  if (await tenants.project(session, groupId)) return
  throw new ControlInputError(
    `'groupId' must be the ID of an existing project, not '${groupId.slice(0, 100)}'`,
  )
}
