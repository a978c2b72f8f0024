import { setTimeout as sleep } from 'node:timers/promises'
import { type OperationId, tokenEndpoint } from '@svc-admin/types'
import type { Api, Cell } from '../engine/api.ts'
import { pathOf } from '../engine/call.ts'
import { onlyReads } from '../engine/only-reads.ts'
import type { Selection } from '../engine/plan.ts'
import { Misconfiguration, Unreachable } from '../engine/signals.ts'
import { basicCredentials } from '../http/authorization.ts'
import type { Doors } from '../http/doors.ts'
import { type Exchange, headerValue, type RawRequest } from '../http/exchange.ts'
import type { Interruption } from '../http/interruption.ts'
import { createPace } from '../http/pace.ts'
import { createSecrets, type Secrets } from '../http/secrets.ts'
import { createSession } from '../http/session.ts'
import { createTransport, NoResponse, type Transport } from '../http/transport.ts'
import type { OwnDemo } from '../target/own-demo.ts'
import type { Holder, Target, Things } from '../target/target.ts'
import { type Clock, keepClock } from './clock.ts'
import type { Journal, Left } from './journal.ts'
import { type ClockReading, createPrerequisites } from './prerequisites.ts'
import { keepTargetTime } from './target-time.ts'
import { createWorld, type World } from './world.ts'

/** A clock of the kit's own, in milliseconds. */
export interface Waiting {
  now(): number
  /** May reject as soon as the signal is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export const byTheWall: Waiting = {
  now: () => performance.now(),
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, signal && { signal }),
}

/** A password, and what shows it to whoever decodes it. */
const secretsIn = (name: string, password: string): string[] => [password, basicCredentials(name, password)]

/** Everything in a target file that no report may show. */
export const secretsOf = (target: Target): Secrets => {
  const holders: Holder[] = [...Object.values(target.roles), ...Object.values(target.others ?? {})]
  return createSecrets(
    holders.flatMap(({ apiKey, serviceAccount }) => [
      ...(apiKey ? secretsIn(apiKey.publicKey, apiKey.privateKey) : []),
      ...(serviceAccount ? secretsIn(serviceAccount.clientId, serviceAccount.clientSecret) : []),
    ]),
  )
}

/** What a run tries of a target, and what it may do there. */
interface Doorway {
  /** What is to be tested. */
  readonly asked?: readonly Cell[]
  /** Operations that take away what an earlier run has left, which is all that this one may do. */
  readonly left?: readonly OperationId[]
  readonly readOnly?: boolean
}

const requestWith = (cell: Cell, parameters: Things): RawRequest => ({
  method: cell.operation.method,
  path: pathOf(cell, parameters),
  headers: [['Accept', cell.row.mediaType]],
})

/** One of each operation in each generation: the newest. */
const newest = (cells: readonly Cell[]): Cell[] => [
  ...new Map(
    cells.map((cell) => [`${cell.operation.id} ${cell.version.generation}`, cell] as const),
  ).values(),
]

/**
 * A request that could change nothing even where everybody is let in: it lacks the body that it needs, and names what
 * the documents name.
 */
const knockAt = (cell: Cell, { things: { groupId = '', orgId = '' } }: Target): RawRequest => {
  const path = cell.definition.parameters.filter((parameter) => parameter.in === 'path')
  const examples = Object.fromEntries(path.map(({ name, example }) => [name, String(example)]))
  return requestWith(cell, { ...examples, ...(groupId && { groupId }), ...(orgId && { orgId }) })
}

/**
 * What anybody may ask for, who then is asked for credentials: of what is to be tested, or else of the same areas, or
 * else of anything. A server need not have more than is tried of it, nor a thing for every name. What only reads is
 * asked for before anything else is.
 */
export const doorsOf = (
  api: Api,
  target: Target,
  doorway: Doorway = {},
): readonly [RawRequest, ...RawRequest[]] => {
  const { asked = [], left = [], readOnly = false } = doorway
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
  if (first === undefined) throw new TypeError('the API has nothing to read')
  const changing = tried.filter(
    ({ operation, row }) => operation.security === 'api' && operation.method !== 'GET' && row.hasBody,
  )
  return [first, ...others, ...(readOnly ? [] : newest(changing).map((cell) => knockAt(cell, target)))]
}

/** The codes of OpenSSL and Node for a certificate that is not trusted, not for this address or not of this time. */
const ofCertificate = /CERT|^UNABLE_TO_/

/** Why there may have been no answer, and what helps. */
const adviceFor = ({ code, message, isNobodyThere, began }: NoResponse, address: string): string => {
  const overTls = new URL(address).protocol === 'https:'
  if (isNobodyThere)
    return `nothing answers at ${address} (${code}): is that its address, and has it been started?`
  if (ofCertificate.test(code))
    return `the certificate of ${address} is not accepted (${code}): NODE_EXTRA_CA_CERTS=<file> names authorities that are trusted besides`
  const first = `the first request had no answer at ${address}: ${message}`
  if (began && code !== 'TIMEOUT') return `${first}; it began as HTTP, and its body has to be mended first`
  if (overTls && code === 'EPROTO') return `${first}; is it http:// there, without TLS?`
  if (!overTls && code === 'ECONNRESET') return `${first}; is it https:// there?`
  if (code.startsWith('HPE_')) return `${first}; is that its address?`
  return `${first}; is that its address? --timeout gives it longer`
}

/** Nothing is said about a target that does not answer. */
export const expectResponse = async (transport: Transport, request: RawRequest): Promise<Exchange> => {
  try {
    return await transport.send(request)
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error
    throw new Unreachable(adviceFor(error, transport.baseUrl))
  }
}

export const transportTo = (
  { baseUrl, timeoutMs }: Target,
  { readOnly }: Selection,
  interruption: Interruption,
): Transport => {
  const sender = createTransport({ baseUrl, ...(timeoutMs !== undefined && { timeoutMs }) })
  return interruption.over(readOnly ? onlyReads(sender, tokenEndpoint.path) : sender)
}

interface WorldParts {
  readonly api: Api
  readonly target: Target
  readonly secrets: Secrets
  readonly transport: Transport
  readonly interruption: Interruption
  readonly journal: Journal
  readonly runTag: string
  readonly demo: OwnDemo | undefined
  readonly doors: Doors
  readonly waiting: Waiting
  readonly onWait: (seconds: number) => void
  readonly versions: readonly string[] | undefined
}

/** Tells of each time that is waited for once, however many requests wait for it. */
const telling = ({ onWait, waiting }: WorldParts): ((seconds: number) => Promise<void>) => {
  let told = Number.NEGATIVE_INFINITY
  return async (seconds) => {
    const end = waiting.now() + seconds * 1000
    if (end >= told + 1000) onWait(seconds)
    told = Math.max(told, end)
    await waiting.sleep(seconds * 1000)
  }
}

/** A world whose clock is given back as it was found. */
export type OpenWorld = World & { readonly clock: Clock }

export const openWorld = (all: WorldParts): OpenWorld => {
  const { target, transport, secrets, demo, waiting, interruption, ...parts } = all
  const wait = telling(all)
  const dated = async (): Promise<number | undefined> => {
    const { response } = await transport.send(parts.doors.current())
    const date = Date.parse(headerValue(response.headers, 'Date') ?? '')
    return Number.isNaN(date) ? undefined : date
  }
  const time = keepTargetTime(
    createPrerequisites(target, { dated, limited: interruption.limited }),
    waiting.now,
  )
  const clock = keepClock({ ...parts, prerequisites: time.prerequisites })
  const { prerequisites } = clock
  const session = createSession({
    transport,
    secrets,
    pace: createPace({ requestsPerSecond: target.requestsPerSecond, ...waiting }),
    doors: parts.doors,
    tokenPath: tokenEndpoint.path,
    now: Date.now,
    targetNow: time.now,
    wait,
    ...(prerequisites.canMoveClock && {
      moveClock: (seconds: number) => prerequisites.advanceClock(seconds + 1),
    }),
  })
  return { ...createWorld({ ...parts, target, session, prerequisites, ...(demo && { demo }) }), clock }
}

/** The target's clock; what cannot tell it is no control interface. */
const readClock = async ({
  prerequisites,
  target: { control },
}: World): Promise<ClockReading | undefined> => {
  if (control === undefined) return prerequisites.readClock()
  const cannot = (why: string): never => {
    throw new Misconfiguration(`--control ${control} is no control interface of a sandbox: ${why}`)
  }
  const reading = await prerequisites.readClock().catch((error: Error) => cannot(error.message))
  return reading && Number.isNaN(reading.now) ? cannot('GET /clock tells no time') : reading
}

/** @throws Misconfiguration when the control interface, if there is one, does not answer as one. */
export const expectControl = async (world: World): Promise<void> => {
  if (world.target.control !== undefined) await readClock(world)
}

/**
 * Puts back what an earlier run of the journal has moved, and notes where the target's clock stands; what it returns
 * puts it back there, or tells why it could not: a run has results to be told.
 *
 * @param onBack hears of the moment to which an earlier run's move was put back.
 */
export const holdClock = async (
  world: OpenWorld,
  journal: Pick<Journal, 'clock'>,
  onBack: (now: number) => void = () => {},
): Promise<() => Promise<readonly Left[]>> => {
  if (journal.clock() !== undefined) {
    const { now } = await world.clock.putBack()
    if (now !== undefined) onBack(now)
  }
  await readClock(world)
  return async () => (await world.clock.putBack()).left
}
