import type { Clients, Version } from '#api'
import { lifecycles } from '#tables/lifecycles'
import * as operations from '#tables/operations'
import { createView } from './client-view.ts'
import type { OperationRow } from './operation-row.ts'
import type { TransportOptions } from './options.ts'
import type { WaitFor } from './public-types.ts'
import { createTransport } from './transport.ts'
import { waitFor } from './wait-for.ts'

/** Settings of a client. */
export interface ClientOptions<V extends Version = Version> extends TransportOptions {
  /** The version that every call asks for, unless the call says another. Types follow it. */
  readonly version: V
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
 * @throws TypeError when `baseUrl` is not a URL. Its calls throw `ApiError` and its classes by status,
 * `NetworkError`, `TimeoutError`, `ParseError`, and the reason of an aborted signal.
 */
export function createClient<V extends Version>(options: ClientOptions<V>): Clients[V] {
  const { clock } = options
  const wait: WaitFor = (id, read, settings) =>
    waitFor(lifecycles[id], read, { ...(clock && { clock }), ...settings })
  const rows: readonly OperationRow[] = Object.values(operations)
  return view(options, rows, { waitFor: wait }) as Clients[V]
}

/** Settings of a client of some operations. */
export interface PartialClientOptions<V extends Version, Rows> extends ClientOptions<V> {
  /** Rows of `@svc-admin/client/operations`, by their ids. */
  readonly operations: Rows
}

/**
 * Creates a client of the operations given and no others, for bundles in which every byte counts.
 *
 * @example
 * const client = createPartialClient({ baseUrl, credentials, version: '2024-05-30', operations: { listAlerts } })
 * @throws TypeError when `baseUrl` is not a URL.
 */
export function createPartialClient<V extends Version, Rows extends Readonly<Record<string, OperationRow>>>(
  options: PartialClientOptions<V, Rows>,
): Pick<Clients[V], Extract<keyof Rows | 'version', keyof Clients[V]>> {
  return view(options, Object.values(options.operations)) as Clients[V]
}

function view(options: ClientOptions, rows: readonly OperationRow[], extra?: object): object {
  const { version, largeIntegers = 'throw' } = options
  return createView(
    { transport: createTransport(options), rows, largeIntegers, ...(extra && { extra }) },
    version,
  )
}
