import { loadDemo } from '@svc-admin/spec'
import { type ErrorCode, type OperationId, type RoleId, roles } from '@svc-admin/types'
import type { Trial } from '../check/trial.ts'
import { inspect, type Json, type JsonObject, listAt, stringAt } from '../document/json.ts'
import type { Strength } from '../document/strength.ts'
import { freshName } from '../given/copies.ts'
import type { Exchange } from '../http/exchange.ts'
import type { CallChanges } from '../model/call.ts'
import { bodyOf, describeResponse, expectRefusal, expectSuccess, expectThat } from '../model/expect.ts'
import { Untestable } from '../model/signals.ts'
import { anyAuthorizationOf, holderOf } from '../run-context/holders.ts'
import {
  hasOperation,
  type OwnProject,
  type ResourcePath,
  sendRequest,
  sendToNewest,
  unusedId,
} from './own-resources.ts'
import { expectField, type SuccessfulResponse, successfulResponse } from './successful-response.ts'

/**
 * Calls an operation in the version under test. If that version doesn't have the operation, uses the operation's newest
 * version.
 */
export const sendInAnyVersion = (
  trial: Trial,
  place: ResourcePath,
  operation: OperationId,
  changes: CallChanges = {},
): Promise<Exchange> =>
  hasOperation(trial, operation)
    ? sendRequest(trial, place, changes, operation)
    : sendToNewest(trial, place, operation, changes)

/**
 * Returns the response body of a call that prepares a check. If the call fails, the check is untestable,
 * because other checks test this call.
 */
export const prepared = (exchange: Exchange, what: string): Json => {
  const { status } = exchange.response
  if (status >= 200 && status < 300) return bodyOf(exchange)
  throw new Untestable(`${what} (${describeResponse(exchange)})`)
}

/** Returns the path of a resource that is nested in another resource. */
export const childPath = <P extends ResourcePath>(
  place: P,
  parameters: Readonly<Record<string, string>>,
): P => ({
  ...place,
  parameters: { ...place.parameters, ...parameters },
})

/** Returns the path of the project that contains the cluster. */
export const projectOf = ({ parameters, as, orgId, groupId }: OwnProject): OwnProject => ({
  parameters,
  as,
  orgId,
  groupId,
})

export const idIn = (resource: Json | undefined): string => stringAt(resource, 'id') ?? ''

/** Returns the IDs of all resources on a page. */
export const idsOf = (page: Json, field = 'id'): string[] =>
  listAt(page, 'results').map((item) => stringAt(item, field) ?? '')

/** Expects a page to contain exactly these resources, in any order. */
export const expectExactly = (
  { exchange, body }: SuccessfulResponse,
  expected: readonly string[],
  field = 'id',
): void => {
  const actual = idsOf(body, field)
  expectThat([...actual].sort().join() === [...expected].sort().join(), {
    expected: `exactly ${expected.join(', ')}`,
    actual: inspect(actual),
    exchange,
  })
}

/** Expects an error that contains the location of the invalid field. The format of locations is our decision. */
export const expectNamed = (exchange: Exchange, code: ErrorCode, pointer: string, why: string): void => {
  expectRefusal(exchange, code, why)
  const named = listAt(bodyOf(exchange), 'parameters')
  expectThat(named.includes(pointer), {
    expected: `parameters with ${pointer}`,
    actual: inspect(named),
    exchange,
    strength: 'decided',
  })
}

const day = 86_400_000

const inDays = (milliseconds: number): string =>
  milliseconds === day ? '1 day' : `${milliseconds / day} days`

/** Converts days to milliseconds. */
export const days = (count: number): number => count * day

/** Formats a time in the API's format. */
export const timestamp = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')

/** Returns the timestamp in a field as a number, or `NaN` if the field is missing. */
export const timestampAt = (value: Json | undefined, name: string): number =>
  Date.parse(stringAt(value, name) ?? '')

/** Retention periods are whole days. A server may store times without seconds. */
const tolerance = 60_000

/**
 * Expects a snapshot not to expire before the end of its retention period. A server may round the time up, or count the
 * period from a later time. Including both times in responses is our decision.
 */
export const expectNotShorter = (
  { exchange, body }: SuccessfulResponse,
  milliseconds: number,
  strength: Strength = 'stated',
): void => {
  const duration = timestampAt(body, 'expiresAt') - timestampAt(body, 'createdAt')
  expectThat(Number.isNaN(duration) || duration >= milliseconds - tolerance, {
    expected: `expiresAt at least ${inDays(milliseconds)} after createdAt`,
    actual: `${inspect(stringAt(body, 'createdAt'))} to ${inspect(stringAt(body, 'expiresAt'))}`,
    exchange,
    strength,
  })
}

/** The strengths of two expectations: that a snapshot doesn't expire too early, and that it doesn't expire too late. */
interface RetentionStrengths {
  readonly early?: Strength
  readonly late?: Strength
}

/** Expects a snapshot to expire at the end of its retention period. */
export const expectRetained = (
  seen: SuccessfulResponse,
  milliseconds: number,
  { early, late = 'stated' }: RetentionStrengths = {},
): void => {
  expectNotShorter(seen, milliseconds, early)
  const { exchange, body } = seen
  const [from, until] = [timestampAt(body, 'createdAt'), timestampAt(body, 'expiresAt')]
  expectThat(until - from === milliseconds, {
    expected: `expiresAt ${inDays(milliseconds)} after createdAt`,
    actual: `${inspect(stringAt(body, 'createdAt'))} to ${inspect(stringAt(body, 'expiresAt'))}`,
    exchange,
    strength: late,
  })
}

export const pass = ({ context }: Trial, seconds: number): Promise<void> =>
  context.prerequisites.advanceClock(seconds)

let demo: ReturnType<typeof loadDemo> | undefined

/** Returns the first row in one of the demo organization's collections, without its path in `self`. */
export const demoRow = (collection: string): JsonObject => {
  demo ??= loadDemo()
  const { self: _, ...row } = demo[collection]?.[0] ?? {}
  return row
}

/** Returns a request body that creates a bucket with the given role. */
export const bucketBody = (iamRoleId: string, differs: JsonObject = {}): JsonObject => ({
  bucketName: freshName('contract-exports'),
  cloudProvider: 'AWS',
  iamRoleId,
  ...differs,
})

/** Seeds an access role in a project. By default, the role is authorized. `null` removes a field. */
export const seedRole = async (
  { context }: Trial,
  { groupId }: OwnProject,
  differs: JsonObject = {},
): Promise<string> => {
  const roleId = unusedId()
  const self = `/groups/${groupId}/cloudProviderAccess/${roleId}`
  const fields = Object.entries({ ...demoRow('cloudProviderAccessRoles'), ...differs, roleId, self })
  const row = Object.fromEntries(fields.filter(([, value]) => value !== null))
  await context.prerequisites.seed({ cloudProviderAccessRoles: [row] })
  return roleId
}

/** Returns the same path for another caller, who has only this role in each of the given projects. */
export const asHolder = async <P extends ResourcePath>(
  { context }: Trial,
  place: P,
  ...grants: readonly { readonly role: RoleId; readonly groupId: string }[]
): Promise<P> => {
  const key = { publicKey: `own-${unusedId()}`, privateKey: `own-${unusedId()}` }
  await context.prerequisites.seed({ apiKeys: [{ ...key, label: context.runTag, roles: grants }] })
  return { ...place, as: { kind: 'digest', key } }
}

export const seedBucket = async (trial: Trial, place: OwnProject): Promise<string> => {
  const { groupId } = place
  const [_id, iamRoleId] = [unusedId(), await seedRole(trial, place)]
  await trial.context.prerequisites.seed({
    exportBuckets: [{ ...demoRow('exportBuckets'), _id, groupId, iamRoleId }],
  })
  return _id
}

/** Expects each component to belong to a different shard. */
export const expectShards = ({ body, exchange }: SuccessfulResponse): void => {
  const components = listAt(body, 'components')
  const shards = components.map((one) => stringAt(one, 'replicaSetName'))
  const right = shards.length > 0 && !shards.includes(undefined) && new Set(shards).size === shards.length
  expectThat(right, {
    expected: 'components, each with a different replicaSetName',
    actual: inspect(components),
    exchange,
  })
}

/** Calls an operation and returns its response. If possible, uses the version under test. */
export const readAt = async (
  trial: Trial,
  place: ResourcePath,
  operation: OperationId,
): Promise<SuccessfulResponse> => successfulResponse(await sendInAnyVersion(trial, place, operation))

/** Calls the operation under test, and expects a success. */
export const servedAt = async (
  trial: Trial,
  place: ResourcePath,
  changes: CallChanges = {},
): Promise<SuccessfulResponse> => successfulResponse(await sendRequest(trial, place, changes))

/** Expects the operation to find an existing resource by its ID. Nothing is created. */
export const expectFound = async (trial: Trial, parameter: string, field = 'id'): Promise<void> => {
  const { parameters } = await trial.good()
  expectField(successfulResponse(await trial.try()), field, parameters[parameter])
}

/** Expects a caller with this role to be able to call the operation. */
export const servesRole = async (trial: Trial, role: RoleId): Promise<void> => {
  const as = anyAuthorizationOf(holderOf(trial.context.target, role), `a holder of ${role}`)
  expectSuccess(await trial.try({ as }), `a success for a holder of ${roles[role].name}`)
}
