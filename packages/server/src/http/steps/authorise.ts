import { roles } from '@svc-admin/types'
import { problem } from '../../domain/problem.ts'
import { type Access, accessAnywhere, accessTo, type Scope } from '../../domain/roles.ts'
import { type Project, tenants } from '../../persistence/tenants.ts'
import { type Exchange, nowhere, type Step } from '../exchange.ts'

/** 404 where the caller has no business at all, 403 where he lacks the role. */
export const authorise: Step = {
  name: 'role',
  run: (exchange) => {
    const { groupId, orgId } = exchange.path
    if (groupId !== undefined) return inProject(exchange, groupId)
    if (orgId !== undefined) return inOrganization(exchange, orgId)
    decide(exchange, accessAnywhere(exchange.principal.grants, exchange.version.roles), '')
  },
}

function inProject(exchange: Exchange, groupId: string): void | Promise<void> {
  const project = exchange.world.projects.get(groupId)
  // What is remembered is at hand.
  if (project instanceof Promise) return project.then((found) => decideOn(exchange, groupId, found))
  decideOn(exchange, groupId, project)
}

function decideOn(exchange: Exchange, groupId: string, project: Project | undefined): void {
  const what = `No project with the ID ${groupId} exists.`
  if (!project) throw problem('RESOURCE_NOT_FOUND', { detail: what })
  const scope: Scope = { orgId: project.orgId, groupId }
  decide(exchange, accessTo(exchange.principal.grants, scope, exchange.version.roles), what)
  exchange.scope = { orgId: project.orgId, groupId }
}

async function inOrganization(exchange: Exchange, orgId: string): Promise<void> {
  const what = `No organization with the ID ${orgId} exists.`
  if (!(await tenants.organization(exchange.world.database, orgId))) {
    throw problem('RESOURCE_NOT_FOUND', { detail: what })
  }
  const access = accessTo(exchange.principal.grants, { orgId }, exchange.version.roles)
  decide(exchange, access === 'unknown' && (await isWithin(exchange, orgId)) ? 'forbidden' : access, what)
  exchange.scope = { ...nowhere, orgId }
}

/** Who holds a role in a project of an organisation knows that it exists. */
async function isWithin({ principal, world }: Exchange, orgId: string): Promise<boolean> {
  for (const grant of principal.grants) {
    if ('groupId' in grant && (await world.projects.get(grant.groupId))?.orgId === orgId) return true
  }
  return false
}

function decide({ version }: Exchange, access: Access, what: string): void {
  if (access === 'allowed') return
  if (access === 'unknown') throw problem('RESOURCE_NOT_FOUND', { detail: what })
  const names = version.roles.flatMap((role) => (role === 'ANY' ? [] : roles[role].name))
  const wanted =
    names.length > 0 ? `the role ${names.join(' or ')}` : 'a role in some organization or project'
  throw problem('INSUFFICIENT_ROLE', { detail: `The operation needs ${wanted}.` })
}
