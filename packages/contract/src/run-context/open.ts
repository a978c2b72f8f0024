import { setTimeout as sleep } from 'node:timers/promises'
import { type OperationId, tokenEndpoint } from '@svc-admin/types'
import { basicCredentials } from '../http/authorization.ts'
import { type Exchange, headerValue, type RawRequest } from '../http/exchange.ts'
import { createPace } from '../http/pace.ts'
import { createSecrets, type Secrets } from '../http/secrets.ts'
import { createHttpSession } from '../http/session.ts'
import { createTransport, NoResponse, type Transport } from '../http/transport.ts'
import type { UnauthenticatedProbes } from '../http/unauthenticated-probes.ts'
import type { Api, Cell } from '../model/api.ts'
import { pathOf } from '../model/call.ts'
import type { Leftover } from '../model/leftover.ts'
import type { Selection } from '../model/selection.ts'
import { Misconfiguration, Unreachable } from '../model/signals.ts'
import type { OwnDemo } from '../target/own-demo.ts'
import type { Holder, ResourceIds, Target } from '../target/target.ts'
import { type Clock, createClock } from './clock.ts'
import type { Interruption } from './interruption.ts'
import type { Journal } from './journal.ts'
import { onlyReads } from './only-reads.ts'
import { patient } from './patient.ts'
import { type ClockReading, createPrerequisites } from './prerequisites.ts'
import { createRunContext, type RunContext } from './run-context.ts'
import { createTargetTime } from './target-time.ts'

/** The kit's own clock. */
export interface Timer {
  now(): number
  /** Waits for a number of milliseconds. Rejects if the signal is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export const systemTimer: Timer = {
  now: () => performance.now(),
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, signal && { signal }),
}

/** Returns a password, and its encoding for Basic authentication. */
const secretsIn = (name: string, password: string): string[] => [password, basicCredentials(name, password)]

/** Returns all values in a target file that reports must not contain. */
export const secretsOf = (target: Target): Secrets => {
  const holders: Holder[] = [...Object.values(target.roles), ...Object.values(target.others ?? {})]
  return createSecrets(
    holders.flatMap(({ apiKey, serviceAccount }) => [
      ...(apiKey ? secretsIn(apiKey.publicKey, apiKey.privateKey) : []),
      ...(serviceAccount ? secretsIn(serviceAccount.clientId, serviceAccount.clientSecret) : []),
    ]),
  )
}

/** The operations that probes may call. */
interface ProbeScope {
  /** The operation versions that the run tests. */
  readonly tested?: readonly Cell[]
  /** The operations that a cleanup may call to remove what an earlier run has left behind. */
  readonly left?: readonly OperationId[]
  readonly readOnly?: boolean
}

const requestWith = (cell: Cell, parameters: ResourceIds): RawRequest => ({
  method: cell.operation.method,
  path: pathOf(cell, parameters),
  headers: [['Accept', cell.row.mediaType]],
})

/** Returns the newest version of each operation in each generation. */
const newest = (cells: readonly Cell[]): Cell[] => [
  ...new Map(
    cells.map((cell) => [`${cell.operation.id} ${cell.version.generation}`, cell] as const),
  ).values(),
]

/**
 * Returns a request that changes nothing, even on a target that accepts every caller. The request has no body. Apart
 * from the project and organization, its path contains only names from the documentation.
 */
const harmlessRequest = (cell: Cell, { things: { groupId = '', orgId = '' } }: Target): RawRequest => {
  const path = cell.definition.parameters.filter((parameter) => parameter.in === 'path')
  const examples = Object.fromEntries(path.map(({ name, example }) => [name, String(example)]))
  return requestWith(cell, { ...examples, ...(groupId && { groupId }), ...(orgId && { orgId }) })
}

/**
 * Returns requests without credentials, which should return a challenge. If possible, the requests are for operations
 * under test. Otherwise, the requests are for operations in the same areas, or for any operation. Read requests come
 * first. Several requests are necessary, because a server may lack an operation or a resource.
 */
export const unauthenticatedProbesOf = (
  api: Api,
  target: Target,
  scope: ProbeScope = {},
): readonly [RawRequest, ...RawRequest[]] => {
  const { tested: asked = [], left = [], readOnly = false } = scope
  const tried = api.cells.filter((cell) => asked.includes(cell))
  const readable = ({ operation }: Cell): boolean =>
    operation.method === 'GET' &&
    operation.security === 'api' &&
    operation.pathParameters.every((name) => target.things[name] !== undefined)
  const areasOf = (cells: readonly Cell[]): Cell[] => {
    const areas = new Set(cells.map(({ operation }) => operation.area))
    return api.cells.filter(({ operation }) => areas.has(operation.area))
  }
  const removing = api.cells.filter(({ operation }) => left.includes(operation.id))
  const groups = [areasOf(removing), tried, areasOf(tried), api.cells]
  const reading = groups.flatMap((cells) => newest(cells.filter(readable)).reverse())
  const [first, ...others] = [...new Set(reading)].map((cell) => requestWith(cell, target.things))
  if (first === undefined) throw new TypeError('the API has no operation that reads')
  const changing = tried.filter(
    ({ operation, row }) => operation.security === 'api' && operation.method !== 'GET' && row.hasBody,
  )
  return [
    first,
    ...others,
    ...(readOnly ? [] : newest(changing).map((cell) => harmlessRequest(cell, target))),
  ]
}

/**
 * Matches the error codes of OpenSSL and Node.js for certificates that are untrusted, expired, not yet
 * valid, or for another address.
 */
const ofCertificate = /CERT|^UNABLE_TO_/

/** Explains why there is no response, and how to fix the problem. */
const adviceFor = ({ code, message, isUnreachable, began }: NoResponse, address: string): string => {
  const overTls = new URL(address).protocol === 'https:'
  if (isUnreachable)
    return `no server responds at ${address} (${code}): check the address, and make sure that the server is running`
  if (ofCertificate.test(code))
    return `the certificate of ${address} isn't trusted (${code}): set NODE_EXTRA_CA_CERTS=<file> to trust more authorities`
  const first = `the first request to ${address} got no response: ${message}`
  if (began && code !== 'TIMEOUT') return `${first}; the server sent HTTP headers, but not a valid body`
  if (overTls && code === 'EPROTO') return `${first}; if the server doesn't use TLS, use http://`
  if (!overTls && code === 'ECONNRESET') return `${first}; if the server uses TLS, use https://`
  if (code.startsWith('HPE_')) return `${first}; check the address`
  return `${first}; check the address, or set a longer --timeout`
}

/** Expects a response. Without a response, the target is unreachable. */
const orUnreachable = async ({ baseUrl }: Transport, sent: Promise<Exchange>): Promise<Exchange> => {
  try {
    return await sent
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error
    throw new Unreachable(adviceFor(error, baseUrl))
  }
}

export const expectResponse = (transport: Transport, request: RawRequest): Promise<Exchange> =>
  orUnreachable(transport, transport.send(request))

/** Expects a response to the first request of the run, or to a request for another operation. */
export const expectFirstResponse = (
  transport: Transport,
  { findResponse }: UnauthenticatedProbes,
): Promise<Exchange> =>
  orUnreachable(
    transport,
    findResponse((request) => transport.send(request)),
  )

export const transportTo = (
  api: Api,
  { baseUrl, timeoutMs }: Target,
  { readOnly }: Selection,
  interruption: Interruption,
): Transport => {
  const sender = patient(createTransport({ baseUrl, ...(timeoutMs !== undefined && { timeoutMs }) }), api)
  return interruption.over(readOnly ? onlyReads(sender, tokenEndpoint.path) : sender)
}

interface RunContextParts {
  readonly api: Api
  readonly target: Target
  readonly secrets: Secrets
  readonly transport: Transport
  readonly interruption: Interruption
  readonly journal: Journal
  readonly runTag: string
  readonly demo: OwnDemo | undefined
  readonly unauthenticatedProbes: UnauthenticatedProbes
  readonly timer: Timer
  readonly onWait: (seconds: number) => void
  readonly versions: readonly string[] | undefined
}

/** Reports a wait only once, even if many requests are waiting. */
const announcingWaits = ({ onWait, timer }: RunContextParts): ((seconds: number) => Promise<void>) => {
  let announcedUntil = Number.NEGATIVE_INFINITY
  return async (seconds) => {
    const end = timer.now() + seconds * 1000
    if (end >= announcedUntil + 1000) onWait(seconds)
    announcedUntil = Math.max(announcedUntil, end)
    await timer.sleep(seconds * 1000)
  }
}

/** A run context with a clock that is reset at the end of the run. */
export type OpenRunContext = RunContext & { readonly clock: Clock }

export const openRunContext = (all: RunContextParts): OpenRunContext => {
  const { target, transport, secrets, demo, timer, interruption, ...parts } = all
  const wait = announcingWaits(all)
  const dated = async (): Promise<number | undefined> => {
    const { response } = await transport.send(parts.unauthenticatedProbes.current())
    const date = Date.parse(headerValue(response.headers, 'Date') ?? '')
    return Number.isNaN(date) ? undefined : date
  }
  const time = createTargetTime(
    createPrerequisites(target, { dated, limited: interruption.limited }),
    timer.now,
  )
  const clock = createClock({ ...parts, prerequisites: time.prerequisites })
  const { prerequisites } = clock
  const session = createHttpSession({
    transport,
    secrets,
    pace: createPace({ requestsPerSecond: target.requestsPerSecond, ...timer }),
    unauthenticatedProbes: parts.unauthenticatedProbes,
    tokenPath: tokenEndpoint.path,
    now: Date.now,
    targetNow: time.now,
    wait,
    ...(prerequisites.canMoveClock && {
      moveClock: (seconds: number) => prerequisites.advanceClock(seconds + 1),
    }),
  })
  return { ...createRunContext({ ...parts, target, session, prerequisites, ...(demo && { demo }) }), clock }
}

/** Reads the target's clock. An address that doesn't return the time isn't a control interface. */
const readClock = async ({
  prerequisites,
  target: { control },
}: RunContext): Promise<ClockReading | undefined> => {
  if (control === undefined) return prerequisites.readClock()
  const cannot = (why: string): never => {
    throw new Misconfiguration(`--control ${control} is not the control interface of a sandbox: ${why}`)
  }
  const reading = await prerequisites.readClock().catch((error: Error) => cannot(error.message))
  return reading && Number.isNaN(reading.now) ? cannot("GET /clock didn't return a time") : reading
}

/** @throws Misconfiguration if the address in the target file isn't a control interface. */
export const expectControl = async (context: RunContext): Promise<void> => {
  if (context.target.control !== undefined) await readClock(context)
}

/**
 * Resets the clock if an earlier run in the journal has moved it, and then records the target's time. The returned
 * function resets the clock to that time. If the reset fails, the returned function returns the reason instead of
 * throwing, so that the results are still reported.
 *
 * @param onRestored Called with the new time if the clock was reset after an earlier run had moved it.
 */
export const trackClock = async (
  context: OpenRunContext,
  journal: Pick<Journal, 'clock'>,
  onRestored: (now: number) => void = () => {},
): Promise<() => Promise<readonly Leftover[]>> => {
  if (journal.clock() !== undefined) {
    const { now } = await context.clock.restore()
    if (now !== undefined) onRestored(now)
  }
  await readClock(context)
  return async () => (await context.clock.restore()).left
}
