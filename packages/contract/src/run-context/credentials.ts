import type { RoleId } from '@svc-admin/types'
import type { Authorization } from '../http/authorization.ts'
import { NoCredentials } from '../http/no-credentials.ts'
import { absentStatuses } from '../http/unauthenticated-probes.ts'
import type { Cell } from '../model/api.ts'
import { buildCall, requestOf } from '../model/call.ts'
import { describeResponse } from '../model/expect.ts'
import { joinNames } from '../model/nearest.ts'
import { type Selection, selectsCell, selectsVersion } from '../model/selection.ts'
import { Misconfiguration } from '../model/signals.ts'
import { roleIds } from '../target/role-ids.ts'
import { isAllowed } from './holders.ts'
import { reasonOf } from './provided.ts'
import type { RunContext } from './run-context.ts'

/** The result of testing a caller's credentials. */
export interface CredentialCheck {
  /** A description of the credentials: their holder and kind. */
  readonly what: string
  readonly kind: Authorization['kind']
  /** The reason why the credentials don't match the target file's description. */
  readonly reason?: string
  /** Whether the target rejected the credentials as unknown. */
  readonly unknown: boolean
  /** Set if the project doesn't exist or if the credentials don't give access to it. */
  readonly absent?: true
}

/** The information that a response provides about credentials. */
type CredentialOpinion = Pick<CredentialCheck, 'reason' | 'unknown' | 'absent'>

/**
 * Returns resources in the project that a role can read, one for each operation and generation. Operations under test
 * come first, because a target may implement only these operations. Operations in the same areas come next, followed by
 * all remaining operations.
 */
const readableBy = (role: RoleId, { api, target }: RunContext, selection: Selection): readonly Cell[] => {
  const inVersions = api.cells.filter((cell) => selectsVersion(selection.versions, cell))
  const tested = inVersions.filter((cell) => selectsCell(selection, cell))
  const areas = new Set(tested.map(({ operation }) => operation.area))
  const nearby = inVersions.filter(({ operation }) => areas.has(operation.area))
  const byOperation = new Map<string, Cell>()
  for (const cell of [...tested, ...nearby, ...inVersions]) {
    const { operation, version } = cell
    const readable =
      operation.method === 'GET' &&
      operation.security === 'api' &&
      isAllowed(role, cell) &&
      operation.pathParameters.includes('groupId') &&
      operation.pathParameters.every((name) => name === 'groupId' && target.things[name] !== undefined)
    const key = `${operation.id} ${version.generation}`
    if (readable && !byOperation.has(key)) byOperation.set(key, cell)
  }
  return [...byOperation.values()]
}

/** With these statuses, a target rejects the credentials and not the request (RFC 9110 §15.5.2, RFC 6749 §5.2). */
const unknownStatuses: readonly (number | undefined)[] = [400, 401]

const tryCredential = async (
  cell: Cell,
  as: Authorization,
  context: RunContext,
): Promise<CredentialOpinion> => {
  const call = buildCall(cell, { parameters: context.target.things, body: undefined, as })
  try {
    const exchange = await context.session.send(requestOf(call), as)
    const { status } = exchange.response
    if (status < 400 || status >= 500) return { unknown: false }
    const reason = `GET ${call.path} got ${describeResponse(exchange)}`
    return { reason, unknown: status === 401, ...(absentStatuses.includes(status) && { absent: true }) }
  } catch (error) {
    const unknown = error instanceof NoCredentials && unknownStatuses.includes(error.status)
    return { reason: reasonOf(error), unknown }
  }
}

/** Returns the first response that shows whether the credentials work, or `undefined` if there is none. */
const firstOpinion = async (
  cells: readonly Cell[],
  as: Authorization,
  context: RunContext,
  selection: Selection,
): Promise<CredentialOpinion | undefined> => {
  let refusal: CredentialOpinion | undefined
  for (const cell of cells) {
    const opinion = await tryCredential(cell, as, context)
    if (!opinion.absent) return opinion
    // Callers without a role get the same status, so an operation that isn't under test can't show that the credentials
    // are wrong.
    refusal ??= selectsCell(selection, cell) ? opinion : { unknown: false, absent: true }
  }
  return refusal
}

/** Returns both kinds of credentials for a role. */
const authorizationsOf = (role: RoleId, { target }: RunContext): readonly Authorization[] => {
  const { apiKey, serviceAccount } = target.roles[role] ?? {}
  const digest = apiKey && ({ kind: 'digest', key: apiKey } as const)
  const bearer = serviceAccount && ({ kind: 'bearer', account: serviceAccount } as const)
  return [digest, bearer].filter((as) => as !== undefined)
}

/** Tests the credentials in order. Each set of credentials is tested with a resource that the role can read. */
export async function* tryCredentials(
  context: RunContext,
  selection: Selection,
): AsyncGenerator<CredentialCheck> {
  for (const role of roleIds) {
    const cells = readableBy(role, context, selection)
    for (const as of authorizationsOf(role, context)) {
      const opinion = await firstOpinion(cells, as, context, selection)
      if (opinion === undefined) continue
      const what = `the ${as.kind === 'digest' ? 'API key' : 'service account'} of ${role}`
      yield { what, kind: as.kind, ...opinion }
    }
  }
}

/**
 * Returns whether the result is conclusive for the credentials. If the project is missing, the result is
 * inconclusive, and the kit tests the next credentials.
 */
const isConclusive = ({ absent, reason }: CredentialCheck): boolean => !absent || reason !== undefined

/**
 * Returns the credentials that are wrong in the target file. If the target accepts other credentials of the same kind,
 * or rejects all credentials, the rejected credentials are wrong. If the target rejects all credentials of only one
 * kind, the target may be wrong, and the run will show this.
 */
export const rejectedCredentials = (all: readonly CredentialCheck[]): readonly CredentialCheck[] => {
  const tried = all.filter(isConclusive)
  const works = (kind?: CredentialCheck['kind']): boolean =>
    tried.some((one) => one.reason === undefined && (kind === undefined || one.kind === kind))
  const unknown = tried.filter((one) => one.unknown)
  if (unknown.length === tried.length) return unknown
  return unknown.filter(({ kind }) => works(kind))
}

/**
 * Returns whether the credentials work for resources outside projects. If the credentials work there, the
 * target isn't empty.
 */
const seesOtherResources = async (context: RunContext): Promise<boolean> => {
  const cells = context.api.cells.filter(
    ({ operation }) =>
      operation.method === 'GET' && operation.security === 'api' && operation.pathParameters.length === 0,
  )
  for (const role of roleIds)
    for (const as of authorizationsOf(role, context))
      for (const cell of cells.slice(-1)) {
        const { reason } = await tryCredential(cell, as, context)
        if (reason === undefined) return true
      }
  return false
}

/**
 * Tests the target file's credentials and project before a run, as far as possible.
 *
 * @throws Misconfiguration if the credentials or the project are wrong.
 */
export const expectKnown = async (context: RunContext, selection: Selection): Promise<void> => {
  const tried: CredentialCheck[] = []
  for await (const one of tryCredentials(context, selection)) tried.push(one)
  const wrong = rejectedCredentials(tried)
  if (wrong.length > 0)
    throw new Misconfiguration(
      `the target rejects these credentials: ${wrong.map(({ what, reason }) => `${what}: ${reason}`).join('; ')}`,
    )
  if (tried.length > 0 && tried.every(({ absent }) => absent) && (await seesOtherResources(context)))
    throw new Misconfiguration(
      `the project ${context.target.things.groupId} is not visible to ${joinNames(
        tried.map(({ what }) => what),
        'or',
      )}, although other resources are: check things.groupId and the roles of these credentials`,
    )
}

/**
 * Tests whether seeded resources exist at the tested address.
 *
 * @throws Misconfiguration if the target at this address accepts none of the copy's credentials.
 */
export const expectCopy = async (context: RunContext, selection: Selection): Promise<void> => {
  let refused = 0
  for await (const one of tryCredentials(context, selection)) {
    if (!isConclusive(one)) continue
    if (!one.unknown) return
    refused += 1
  }
  const { control, baseUrl } = context.target
  if (refused > 0)
    throw new Misconfiguration(
      `${baseUrl} doesn't have the resources that --control ${control} seeds: make sure that both addresses belong to the same sandbox`,
    )
}
