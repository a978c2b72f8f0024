import type { Clients, Version } from '#api'
import { allOperations } from '#tables/all-operations'
import { lifecycles } from '#tables/lifecycles'
import { createViews, type Extend } from './client-view.ts'
import { systemClock } from './clock.ts'
import {
  type DeprecationWatch,
  type OnDeprecation,
  warnDeprecation,
  watchDeprecation,
} from './deprecation.ts'
import { parseExact } from './json.ts'
import type { OperationRow } from './operation-row.ts'
import type { TransportOptions } from './options.ts'
import { createPathCalls } from './path-caller.ts'
import type { WaitFor } from './public-types.ts'
import { createTransport } from './transport.ts'
import { waitFor } from './wait-for.ts'

/** Settings of a client. */
export interface ClientOptions<V extends Version = Version> extends TransportOptions {
  /**
   * The version that every call asks for, unless the call says another. Types follow it. Another date means, for each
   * operation, its newest version that is not later.
   */
  readonly version: V
  /** Called once per operation and version; a line on the console by default. */
  readonly onDeprecation?: OnDeprecation | undefined
}

/**
 * Creates a client for every operation that exists at a version.
 *
 * @example
 * const client = createClient({
 *   baseUrl: 'https://cloud.example.com',
 *   credentials: { publicKey: 'abcdefgh', privateKey: process.env.PRIVATE_KEY ?? '' },
 *   version: '2024-05-30',
 * })
 * for await (const alert of client.listAlerts.items({ groupId: '64b7e1c20f3a5d6e7f809101', status: 'OPEN' })) {
 *   console.log(alert.eventTypeName)
 * }
 * @throws TypeError for a `baseUrl` that is no http(s) address before `/api/svc`, credentials of no known shape, a
 * version that there is not, time limits that are not above 0, and numbers of retries that are none or below 0. Its
 * calls throw `ApiError` and its classes by status, `NetworkError`, `TimeoutError`, `ParseError`, `TypeError` for
 * arguments that cannot be sent, and the reason of an aborted signal.
 */
export function createClient<V extends Version>(options: ClientOptions<V>): Clients[V] {
  const wait: WaitFor = async (id, read, settings) => {
    if (!Object.hasOwn(lifecycles, id)) {
      throw new TypeError(`no lifecycle is ${id}: expected ${Object.keys(lifecycles).join(', ')}`)
    }
    return waitFor(lifecycles[id], read, { ...settings, clock: settings.clock ?? options.clock })
  }
  const extend: Extend = (run, rows) => ({ waitFor: wait, ...createPathCalls(run, rows) })
  const { clock = systemClock } = options
  const warn: OnDeprecation = (notice) => warnDeprecation(notice, clock.now())
  const watch = watchDeprecation(options.onDeprecation ?? warn)
  return view(options, allOperations, watch, extend) as Clients[V]
}

/** Settings of a client of some operations. */
export interface PartialClientOptions<V extends Version, Rows>
  extends Omit<ClientOptions<V>, 'onDeprecation'> {
  /** Rows of `@svc-admin/client/operations`, by their ids. */
  readonly operations: Rows
  /** `watchDeprecation(callback)`; without it notices are not read. */
  readonly deprecation?: DeprecationWatch | undefined
}

/**
 * Creates a client of the operations given and no others, for bundles in which every byte counts.
 *
 * @example
 * const client = createPartialClient({ baseUrl, credentials, version: '2024-05-30', operations: { listAlerts } })
 * @throws TypeError as `createClient` does.
 */
export function createPartialClient<V extends Version, Rows extends Readonly<Record<string, OperationRow>>>(
  options: PartialClientOptions<V, Rows>,
): Pick<Clients[V], Extract<keyof Rows | 'version', keyof Clients[V]>> {
  return view(options, Object.values(options.operations), options.deprecation) as Clients[V]
}

function view(
  options: ClientOptions,
  rows: readonly OperationRow[],
  watch: DeprecationWatch | undefined,
  extend?: Extend,
): object {
  const { version, parseJson = parseExact } = options
  const transport = createTransport(options, watch)
  return createViews(transport, rows, parseJson, extend)(version)
}
