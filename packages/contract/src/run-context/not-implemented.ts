import { type Json, jsonBody, stringAt } from '../document/json.ts'
import type { Authorization } from '../http/authorization.ts'
import { type Exchange, headerValue, type RawRequest } from '../http/exchange.ts'
import { parseMediaType } from '../http/media-type.ts'
import { NoCredentials } from '../http/no-credentials.ts'
import { NoResponse } from '../http/transport.ts'
import type { Cell } from '../model/api.ts'
import { pathOf } from '../model/call.ts'
import { Misconfiguration, Unreachable, Untestable } from '../model/signals.ts'
import { isAbsent, type TestedOperation } from '../model/tested-operation.ts'
import { allowedHolder, anyAuthorizationOf } from './holders.ts'
import type { RunContext } from './run-context.ts'

/** Servers return these statuses if they don't have the path or the method. */
const absentStatuses: readonly number[] = [404, 405, 501]

/**
 * Returns whether a response suggests that the operation doesn't exist. A challenge shows that the operation exists,
 * regardless of the status.
 */
const looksAbsent = ({ response: { status, headers } }: Exchange): boolean =>
  absentStatuses.includes(status) && headerValue(headers, 'WWW-Authenticate') === undefined

const unauthenticated: Authorization = { kind: 'none' }

/** An ID of 24 hexadecimal digits that no resource has. */
const unknownId = 'f0'.repeat(12)

/** Returns a value for a path parameter that has the right format but doesn't match any resource. */
const unknownValue = (example: Json | undefined, isChoice: boolean): string => {
  const text = String(example)
  if (isChoice) return text
  return /^[0-9a-f]{24}$/.test(text) ? unknownId : 'contract-unknown'
}

/**
 * Returns the parameters for a probe. Probes for read operations use existing resources. Probes for changes use unknown
 * resources, so that they do no harm even if a target accepts every request. If an operation has a request body, the
 * probe omits the body and can therefore use the real project or organization.
 */
const probeParameters = ({ target: { things } }: RunContext, cell: Cell): Record<string, string> => {
  const { operation, definition, row } = cell
  const reads = operation.method === 'GET'
  const path = definition.parameters.filter((parameter) => parameter.in === 'path')
  const entries = path.map(({ name, example, schema }): [string, string] => {
    const existing = things[`${operation.id}.${name}`] ?? things[name]
    const isScope = name === 'groupId' || name === 'orgId'
    if (reads || (row.hasBody && isScope)) return [name, existing ?? String(example)]
    return [name, unknownValue(example, 'enum' in schema.value)]
  })
  return Object.fromEntries(entries)
}

const probeOf = (context: RunContext, cell: Cell): RawRequest => ({
  method: cell.operation.method,
  path: pathOf(cell, probeParameters(context, cell)),
  headers: [['Accept', cell.row.mediaType]],
})

/** Returns whether the target file contains all of the probe's path parameters. */
const namesExisting = ({ target: { things } }: RunContext, { operation }: Cell): boolean =>
  operation.method === 'GET' &&
  operation.pathParameters.every((name) => (things[`${operation.id}.${name}`] ?? things[name]) !== undefined)

/**
 * Reduces a "not found" response to the parts that are the same in all "not found" responses from one handler. Paths
 * and IDs are removed.
 */
const likenessOf = ({ request, response }: Exchange): string => {
  const type = parseMediaType(headerValue(response.headers, 'Content-Type') ?? '')?.essence ?? ''
  const own = [request.path, request.path.split('/').at(-1) ?? '', request.method]
  const text = own.reduce((body, name) => body.replaceAll(name, ''), response.body)
  return `${response.status} ${type} ${text.replaceAll(/[0-9a-f]{24}|\d+/g, '')}`
}

const hasErrorCode = ({ response }: Exchange): boolean =>
  stringAt(jsonBody(response), 'errorCode') !== undefined

/** The target's responses to a path that no operation has, with and without credentials. */
interface UnknownPath {
  readonly open: Exchange
  /** Sends the same request with credentials. */
  withCredentials(as: Authorization): Promise<Exchange>
}

/** Returns credentials that can call the operation, if the target file contains any. */
const credentialsFor = ({ target }: RunContext, cell: Cell): Authorization | undefined => {
  try {
    return anyAuthorizationOf(allowedHolder(target, cell), cell.operation.id)
  } catch (error) {
    if (error instanceof Untestable) return undefined
    throw error
  }
}

/** A target without any operations returns neither a challenge nor a token, so the request can't be sent. */
const withCredentials = async (sent: Promise<Exchange>): Promise<Exchange | undefined> => {
  try {
    return await sent
  } catch (error) {
    if (error instanceof NoCredentials) return undefined
    throw error
  }
}

/**
 * Returns whether the target implements an operation. Most targets find the operation before they check the
 * credentials, so a request without credentials is enough. Other servers check the credentials first, or hide
 * all resources from unknown callers, so the kit sends them a request with credentials. If the result is
 * unclear, the operation counts as implemented.
 */
const isImplemented = async (context: RunContext, cell: Cell, unknown: UnknownPath): Promise<boolean> => {
  const { session } = context
  const probe = probeOf(context, cell)
  const open = await session.send(probe, unauthenticated)
  const absent = looksAbsent(open)
  const saysNothing = open.response.status === 401 && unknown.open.response.status === 401
  if ((!absent && !saysNothing) || cell.operation.security !== 'api') return !absent
  const as = credentialsFor(context, cell)
  if (as === undefined) return !absent
  const exchange = await withCredentials(session.send(probe, as))
  if (exchange === undefined) return !absent
  if (!looksAbsent(exchange)) return true
  if (exchange.response.status !== 404) return false
  if (absent) return hasErrorCode(exchange) && !hasErrorCode(open)
  const same = likenessOf(exchange) === likenessOf(await unknown.withCredentials(as))
  return !(same && (namesExisting(context, cell) || cell.row.hasBody))
}

/** Returns `true` if there is no response to a probe. The operation is then tested, and the run reports the error. */
const orImplemented = async (decide: Promise<boolean>): Promise<boolean> => {
  try {
    return await decide
  } catch (error) {
    if (error instanceof NoResponse && error.isUnreachable) throw new Unreachable(error.message)
    if (error instanceof NoResponse || error instanceof NoCredentials) return true
    throw error
  }
}

const unknownPathOf = async ({ session, runTag }: RunContext, { version }: Cell): Promise<UnknownPath> => {
  const request: RawRequest = {
    method: 'GET',
    path: `${version.prefix}/${runTag}-unknown`,
    headers: [['Accept', version.mediaType]],
  }
  const known = new Map<string, Promise<Exchange>>()
  return {
    open: await session.send(request, unauthenticated),
    withCredentials(as) {
      const exchange = known.get(as.kind) ?? session.send(request, as)
      known.set(as.kind, exchange)
      return exchange
    },
  }
}

/**
 * Groups operation versions by operation and API generation. All versions in a generation have the same path, so a
 * target implements all or none of them.
 */
const byRoute = (cells: readonly Cell[]): readonly (readonly [Cell, ...Cell[]])[] => {
  const routes = new Map<string, [Cell, ...Cell[]]>()
  for (const cell of cells) {
    const { operation, version } = cell
    const key = operation.absolute ? operation.path : `${version.generation} ${operation.id}`
    const before = routes.get(key)
    // Put the newest version first, because the kit probes this version.
    if (before) before.unshift(cell)
    else routes.set(key, [cell])
  }
  return [...routes.values()]
}

/** The number of probes that run in parallel. */
const width = 8

/**
 * Probes every operation once, without changing anything. Returns the operation versions that the target doesn't
 * implement.
 *
 * @throws Unreachable if the target stops responding.
 */
export const findNotImplemented = async (context: RunContext, cells: readonly Cell[]): Promise<Cell[]> => {
  const unknown = new Map<string, Promise<UnknownPath>>()
  const unknownOf = (cell: Cell): Promise<UnknownPath> => {
    const { generation } = cell.version
    const known = unknown.get(generation) ?? unknownPathOf(context, cell)
    unknown.set(generation, known)
    return known
  }
  const routes = byRoute(cells)
  const absent = new Set<Cell>()
  const queue = routes[Symbol.iterator]()
  const worker = async (): Promise<void> => {
    for (const route of queue) {
      const [newest] = route
      const decide = unknownOf(newest).then((path) => isImplemented(context, newest, path))
      if (!(await orImplemented(decide))) for (const cell of route) absent.add(cell)
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return cells.filter((cell) => absent.has(cell))
}

/** @throws Misconfiguration if the target implements none of the operations. */
export const expectAnyImplemented = (baseUrl: string, operations: readonly TestedOperation[]): void => {
  if (operations.length === 0 || !operations.every(isAbsent)) return
  const [first, ...others] = operations
  const what =
    others.length === 0
      ? `${first?.operation} is not implemented`
      : `none of the ${operations.length} operations is implemented`
  throw new Misconfiguration(
    `${what} at ${baseUrl}: check that it is the address of the service, without /api`,
  )
}
