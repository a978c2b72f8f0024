import { roles } from '@svc-admin/types'
import { problem } from '../../domain/problem.ts'
import { type Access, accessAnywhere, accessTo, type Scope } from '../../domain/roles.ts'
import { type Project, tenants } from '../../persistence/tenants.ts'
import { noScope, type RequestContext, type Step } from '../request-context.ts'

/**
 * Checks the caller's roles. Returns 404 if the caller has no role in the project or organization, and 403 if the
 * caller's roles don't allow the operation.
 */
export const authorize: Step = {
  name: 'role',
  run: (context) => {
    const { groupId, orgId } = context.path
    if (groupId !== undefined) return inProject(context, groupId)
    if (orgId !== undefined) return inOrganization(context, orgId)
    requireAccess(context, accessAnywhere(context.principal.grants, context.version.roles), '')
  },
}

function inProject(context: RequestContext, groupId: string): void | Promise<void> {
  const project = context.world.projects.get(groupId)
  // Return synchronously if the project is cached.
  if (project instanceof Promise) return project.then((found) => requireProject(context, groupId, found))
  requireProject(context, groupId, project)
}

function requireProject(context: RequestContext, groupId: string, project: Project | undefined): void {
  const detail = `No project with the ID ${groupId} exists.`
  if (!project) throw problem('RESOURCE_NOT_FOUND', { detail })
  const scope: Scope = { orgId: project.orgId, groupId }
  requireAccess(context, accessTo(context.principal.grants, scope, context.version.roles), detail)
  context.scope = { orgId: project.orgId, groupId }
}

async function inOrganization(context: RequestContext, orgId: string): Promise<void> {
  const detail = `No organization with the ID ${orgId} exists.`
  if (!(await tenants.organization(context.world.database, orgId))) {
    throw problem('RESOURCE_NOT_FOUND', { detail })
  }
  const access = accessTo(context.principal.grants, { orgId }, context.version.roles)
  requireAccess(
    context,
    access === 'unknown' && (await isWithin(context, orgId)) ? 'forbidden' : access,
    detail,
  )
  context.scope = { ...noScope, orgId }
}

/**
 * Returns whether a caller may learn that an organization exists. A role in one of the organization's projects is
 * sufficient.
 */
async function isWithin({ principal, world }: RequestContext, orgId: string): Promise<boolean> {
  for (const grant of principal.grants) {
    if ('groupId' in grant && (await world.projects.get(grant.groupId))?.orgId === orgId) return true
  }
  return false
}

function requireAccess({ version }: RequestContext, access: Access, detail: string): void {
  if (access === 'allowed') return
  if (access === 'unknown') throw problem('RESOURCE_NOT_FOUND', { detail })
  const names = version.roles.flatMap((role) => (role === 'ANY' ? [] : roles[role].name))
  const required =
    names.length > 0 ? `the role ${names.join(' or ')}` : 'a role in an organization or project'
  throw problem('INSUFFICIENT_ROLE', { detail: `The operation requires ${required}.` })
}
