import type { RoleId } from '@svc-admin/types'
import type { Cell } from '../engine/api.ts'
import { buildCall, requestOf } from '../engine/call.ts'
import { describeResponse } from '../engine/expect.ts'
import { joinNames } from '../engine/nearest.ts'
import { type Selection, selectsCell, selectsVersion } from '../engine/plan.ts'
import { Misconfiguration } from '../engine/signals.ts'
import type { Authorization } from '../http/authorization.ts'
import { NoCredentials } from '../http/no-credentials.ts'
import { absentStatuses } from '../http/unauthenticated-probes.ts'
import { isAllowed, roleIds } from './holders.ts'
import { reasonOf } from './provided.ts'
import type { RunContext } from './run-context.ts'

/** The outcome of testing credentials. */
export interface CredentialCheck {
  /** Their holder and kind. */
  readonly what: string
  readonly kind: Authorization['kind']
  /** Why they can't be used as the target file describes. */
  readonly reason?: string
  /** Whether the target does not recognize them. */
  readonly unknown: boolean
  /** Whether the project does not exist or is not visible to them. */
  readonly absent?: true
}

/** What one or more requests reveal about credentials. */
type CredentialOpinion = Pick<CredentialCheck, 'reason' | 'unknown' | 'absent'>

/**
 * What in the project a role may read: of what is to be tested first, then of the same areas, then of all else, one of
 * each operation in each generation. A target need not have any of it but what is tested.
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

/** Statuses that reject the credentials rather than the request (RFC 9110 §15.5.2, RFC 6749 §5.2). */
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

/** What the first thing that the target has says of credentials; `undefined` where nothing could. */
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
    // Whoever holds no role is told that nothing is there, too: of what is to be tested, that is worth telling.
    refusal ??= selectsCell(selection, cell) ? opinion : { unknown: false, absent: true }
  }
  return refusal
}

/** The credentials of a role, of both kinds. */
const authorizationsOf = (role: RoleId, { target }: RunContext): readonly Authorization[] => {
  const { apiKey, serviceAccount } = target.roles[role] ?? {}
  const digest = apiKey && ({ kind: 'digest', key: apiKey } as const)
  const bearer = serviceAccount && ({ kind: 'bearer', account: serviceAccount } as const)
  return [digest, bearer].filter((as) => as !== undefined)
}

/** Tries the credentials of the roles, each on something that the role may read: one after the other, as asked for. */
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

/** Whether something was said of credentials: where nothing of the project is there, others are asked for. */
const isConclusive = ({ absent, reason }: CredentialCheck): boolean => !absent || reason !== undefined

/**
 * Whose fault it is that the target does not know credentials: where it knows none, or others of the same kind, it is
 * that of the target file. A target may also be at fault with a kind as a whole, and that is for a run to find out.
 */
export const rejectedCredentials = (all: readonly CredentialCheck[]): readonly CredentialCheck[] => {
  const tried = all.filter(isConclusive)
  const works = (kind?: CredentialCheck['kind']): boolean =>
    tried.some((one) => one.reason === undefined && (kind === undefined || one.kind === kind))
  const unknown = tried.filter((one) => one.unknown)
  if (unknown.length === tried.length) return unknown
  return unknown.filter(({ kind }) => works(kind))
}

/** Whether credentials find what is of no project, so that the target has more than what they look for in vain. */
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
 * Finds out before a run whether the credentials of the target file are right, and its project, as far as the target
 * tells.
 *
 * @throws Misconfiguration when some of them are not.
 */
export const expectKnown = async (context: RunContext, selection: Selection): Promise<void> => {
  const tried: CredentialCheck[] = []
  for await (const one of tryCredentials(context, selection)) tried.push(one)
  const wrong = rejectedCredentials(tried)
  if (wrong.length > 0)
    throw new Misconfiguration(
      `the target does not know credentials that it is to be tested with: ${wrong.map(({ what, reason }) => `${what}: ${reason}`).join('; ')}`,
    )
  if (tried.length > 0 && tried.every(({ absent }) => absent) && (await seesOtherResources(context)))
    throw new Misconfiguration(
      `nothing of the project ${context.target.things.groupId} is there for ${joinNames(
        tried.map(({ what }) => what),
        'or',
      )}, while what is of no project is: is things.groupId right, and have they a role there?`,
    )
}

/**
 * Finds out whether what was put in place through the control interface is at the address that is tested.
 *
 * @throws Misconfiguration when nobody of the copy is known there.
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
      `what --control ${control} puts in place is not known at ${baseUrl}: are they of the same sandbox?`,
    )
}
