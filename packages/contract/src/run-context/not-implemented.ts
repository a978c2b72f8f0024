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

/** The statuses that a server returns if it doesn't have the path or method. */
const absentStatuses: readonly number[] = [404, 405, 501]

/** A challenge proves that the operation exists, regardless of the status. */
const looksAbsent = ({ response: { status, headers } }: Exchange): boolean =>
  absentStatuses.includes(status) && headerValue(headers, 'WWW-Authenticate') === undefined

const unauthenticated: Authorization = { kind: 'none' }

/** An ID of 24 hexadecimal digits that no resource has. */
const unknownId = 'f0'.repeat(12)

/** A path parameter value that names no resource but has the right format. */
const unknownValue = (example: Json | undefined, isChoice: boolean): string => {
  const text = String(example)
  if (isChoice) return text
  return /^[0-9a-f]{24}$/.test(text) ? unknownId : 'contract-unknown'
}

/**
 * The parameters for a probe. For read operations, these are existing resources. For other operations, they are unknown
 * resources, so that the probe changes nothing even if a target accepts every request. If the probe lacks a required
 * body, it contains the real project or organization.
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

/** Whether every path parameter in the probe exists according to the target file. */
const namesExisting = ({ target: { things } }: RunContext, { operation }: Cell): boolean =>
  operation.method === 'GET' &&
  operation.pathParameters.every((name) => (things[`${operation.id}.${name}`] ?? things[name]) !== undefined)

/**
 * Reduces a "not found" response to the parts that are the same in every response from one handler, without paths and
 * IDs.
 */
const likenessOf = ({ request, response }: Exchange): string => {
  const type = parseMediaType(headerValue(response.headers, 'Content-Type') ?? '')?.essence ?? ''
  const own = [request.path, request.path.split('/').at(-1) ?? '', request.method]
  const text = own.reduce((body, name) => body.replaceAll(name, ''), response.body)
  return `${response.status} ${type} ${text.replaceAll(/[0-9a-f]{24}|\d+/g, '')}`
}

const hasErrorCode = ({ response }: Exchange): boolean =>
  stringAt(jsonBody(response), 'errorCode') !== undefined

/** The responses for a path without any operation, with and without credentials. */
interface UnknownPath {
  readonly open: Exchange
  /** Sends the same request with credentials and returns the response. */
  withCredentials(as: Authorization): Promise<Exchange>
}

/** Credentials that can call the operation, if the target file has any. */
const credentialsFor = ({ target }: RunContext, cell: Cell): Authorization | undefined => {
  try {
    return anyAuthorizationOf(allowedHolder(target, cell), cell.operation.id)
  } catch (error) {
    if (error instanceof Untestable) return undefined
    throw error
  }
}

/** A target without operations returns neither a challenge nor a token. */
const withCredentials = async (sent: Promise<Exchange>): Promise<Exchange | undefined> => {
  try {
    return await sent
  } catch (error) {
    if (error instanceof NoCredentials) return undefined
    throw error
  }
}

/**
 * Whether the target implements an operation. Most targets find the route before they authenticate, so a request
 * without credentials is enough. Other servers authenticate first, or hide all resources from unknown callers. The
 * kit sends them a request with credentials. If the result is unclear, the operation counts as implemented.
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

/** If a probe gets no response, the operation is tested, and the run reports the result. */
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
 * An operation has one route per generation, so a target implements either all of its versions in a generation or none.
 */
const byRoute = (cells: readonly Cell[]): readonly (readonly [Cell, ...Cell[]])[] => {
  const routes = new Map<string, [Cell, ...Cell[]]>()
  for (const cell of cells) {
    const { operation, version } = cell
    const key = operation.absolute ? operation.path : `${version.generation} ${operation.id}`
    const before = routes.get(key)
    // The newest version comes first, because it is the one to probe.
    if (before) before.unshift(cell)
    else routes.set(key, [cell])
  }
  return [...routes.values()]
}

/** The number of parallel probes. */
const width = 8

/**
 * Probes every operation once without changing anything, and returns the cells that the target doesn't implement.
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
