import { roles } from '@svc-admin/types'
import { problem } from '../../domain/problem.ts'
import { type Access, accessAnywhere, accessTo, type Scope } from '../../domain/roles.ts'
import { type Project, tenants } from '../../persistence/tenants.ts'
import { noScope, type RequestContext, type Step } from '../request-context.ts'

/** 404 where the caller has no business at all, 403 where he lacks the role. */
export const authorize: Step = {
  name: 'role',
  run: (context) => {
    const { groupId, orgId } = context.path
    if (groupId !== undefined) return inProject(context, groupId)
    if (orgId !== undefined) return inOrganization(context, orgId)
    decide(context, accessAnywhere(context.principal.grants, context.version.roles), '')
  },
}

function inProject(context: RequestContext, groupId: string): void | Promise<void> {
  const project = context.world.projects.get(groupId)
  // What is remembered is at hand.
  if (project instanceof Promise) return project.then((found) => decideOn(context, groupId, found))
  decideOn(context, groupId, project)
}

function decideOn(context: RequestContext, groupId: string, project: Project | undefined): void {
  const what = `No project with the ID ${groupId} exists.`
  if (!project) throw problem('RESOURCE_NOT_FOUND', { detail: what })
  const scope: Scope = { orgId: project.orgId, groupId }
  decide(context, accessTo(context.principal.grants, scope, context.version.roles), what)
  context.place = { orgId: project.orgId, groupId }
}

async function inOrganization(context: RequestContext, orgId: string): Promise<void> {
  const what = `No organization with the ID ${orgId} exists.`
  if (!(await tenants.organization(context.world.database, orgId))) {
    throw problem('RESOURCE_NOT_FOUND', { detail: what })
  }
  const access = accessTo(context.principal.grants, { orgId }, context.version.roles)
  decide(context, access === 'unknown' && (await isWithin(context, orgId)) ? 'forbidden' : access, what)
  context.place = { ...noScope, orgId }
}

/** Who holds a role in a project of an organisation knows that it exists. */
async function isWithin({ principal, world }: RequestContext, orgId: string): Promise<boolean> {
  for (const grant of principal.grants) {
    if ('groupId' in grant && (await world.projects.get(grant.groupId))?.orgId === orgId) return true
  }
  return false
}

function decide({ version }: RequestContext, access: Access, what: string): void {
  if (access === 'allowed') return
  if (access === 'unknown') throw problem('RESOURCE_NOT_FOUND', { detail: what })
  const names = version.roles.flatMap((role) => (role === 'ANY' ? [] : roles[role].name))
  const wanted =
    names.length > 0 ? `the role ${names.join(' or ')}` : 'a role in some organization or project'
  throw problem('INSUFFICIENT_ROLE', { detail: `The operation needs ${wanted}.` })
}
