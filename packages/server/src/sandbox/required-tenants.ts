import type { Session } from '../persistence/database.ts'
import { tenants } from '../persistence/tenants.ts'
import { ControlInputError } from './fields.ts'

/** @throws {ControlInputError} for an organization that there is not, and that the seed did not put in before. */
export async function requireOrganization(session: Session, orgId: string): Promise<void> {
  if (await tenants.organization(session, orgId)) return
  throw new ControlInputError(
    `'orgId' must be the ID of an existing organization, not '${orgId.slice(0, 100)}'`,
  )
}

/** @throws {ControlInputError} for a project that there is not, and that the seed did not put in before. */
export async function requireProject(session: Session, groupId: string): Promise<void> {
  if (await tenants.project(session, groupId)) return
  throw new ControlInputError(
    `'groupId' must be the ID of an existing project, not '${groupId.slice(0, 100)}'`,
  )
}
