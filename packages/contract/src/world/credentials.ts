import type { RoleId } from '@svc-admin/types'
import type { Cell } from '../engine/api.ts'
import { buildCall, requestOf } from '../engine/call.ts'
import { tellAnswer } from '../engine/expect.ts'
import { type Selection, selectsCell } from '../engine/plan.ts'
import { Misconfiguration } from '../engine/signals.ts'
import type { Authorization } from '../http/authorization.ts'
import { NoCredentials } from '../http/no-credentials.ts'
import { isAllowed, roleIds } from './holders.ts'
import { reasonOf } from './lent.ts'
import type { World } from './world.ts'

/** What came of credentials that were tried. */
export interface Tried {
  /** Whose they are, and of which kind. */
  readonly what: string
  readonly kind: Authorization['kind']
  /** Why they cannot be used as the target file says. */
  readonly reason?: string
  /** Whether the target says that it does not know them. */
  readonly unknown: boolean
}

/** Something in the project that a role may read. */
const readableBy = (role: RoleId, { api, target }: World, asked: Selection): Cell | undefined =>
  api.cells.find(
    (cell) =>
      selectsCell(asked, cell) &&
      cell.operation.method === 'GET' &&
      cell.operation.security === 'api' &&
      isAllowed(role, cell) &&
      cell.operation.pathParameters.includes('groupId') &&
      cell.operation.pathParameters.every((name) => name === 'groupId' && target.things[name] !== undefined),
  )

/** Statuses by which credentials, and not what they ask for, are refused (RFC 9110 §15.5.2, RFC 6749 §5.2). */
const unknownStatuses: readonly (number | undefined)[] = [400, 401]

const trial = async (
  cell: Cell,
  as: Authorization,
  world: World,
): Promise<Pick<Tried, 'reason' | 'unknown'>> => {
  const call = buildCall(cell, { parameters: world.target.things, body: undefined, as })
  try {
    const exchange = await world.session.send(requestOf(call), as)
    const { status } = exchange.response
    if (status < 400 || status >= 500) return { unknown: false }
    return { reason: `GET ${call.path} got ${tellAnswer(exchange)}`, unknown: status === 401 }
  } catch (error) {
    const unknown = error instanceof NoCredentials && unknownStatuses.includes(error.status)
    return { reason: reasonOf(error), unknown }
  }
}

/** Tries the credentials of the roles, each on something that the role may read: one after the other, as asked for. */
export async function* tryCredentials(world: World, { versions }: Selection): AsyncGenerator<Tried> {
  const asked = versions === undefined ? {} : { versions }
  for (const role of roleIds) {
    const cell = readableBy(role, world, asked)
    if (cell === undefined) continue
    const { apiKey, serviceAccount } = world.target.roles[role] ?? {}
    const digest = apiKey && ({ kind: 'digest', key: apiKey } as const)
    const bearer = serviceAccount && ({ kind: 'bearer', account: serviceAccount } as const)
    if (digest)
      yield { what: `the API key of ${role}`, kind: 'digest', ...(await trial(cell, digest, world)) }
    if (bearer)
      yield { what: `the service account of ${role}`, kind: 'bearer', ...(await trial(cell, bearer, world)) }
  }
}

/**
 * Whose fault it is that the target does not know credentials: where it knows none, or others of the same kind, it is
 * that of the target file. A target may also be at fault with a kind as a whole, and that is for a run to find out.
 */
export const mistaken = (tried: readonly Tried[]): readonly Tried[] => {
  const works = (kind?: Tried['kind']): boolean =>
    tried.some((one) => one.reason === undefined && (kind === undefined || one.kind === kind))
  const unknown = tried.filter((one) => one.unknown)
  if (unknown.length === tried.length) return unknown
  return unknown.filter(({ kind }) => works(kind))
}

/**
 * Finds out before a run whether the credentials of the target file are right, as far as the target tells.
 *
 * @throws Misconfiguration when some of them are not.
 */
export const expectKnown = async (world: World, selection: Selection): Promise<void> => {
  const tried: Tried[] = []
  for await (const one of tryCredentials(world, selection)) tried.push(one)
  const wrong = mistaken(tried)
  if (wrong.length > 0)
    throw new Misconfiguration(
      `the target does not know credentials that it is to be tested with: ${wrong.map(({ what, reason }) => `${what}: ${reason}`).join('; ')}`,
    )
}

/**
 * Finds out whether what was put in place through the control interface is at the address that is tested.
 *
 * @throws Misconfiguration when nobody of the copy is known there.
 */
export const expectCopy = async (world: World, selection: Selection): Promise<void> => {
  let refused = 0
  for await (const { unknown } of tryCredentials(world, selection)) {
    if (!unknown) return
    refused += 1
  }
  const { control, baseUrl } = world.target
  if (refused > 0)
    throw new Misconfiguration(
      `what --control ${control} puts in place is not known at ${baseUrl}: are they of the same sandbox?`,
    )
}
