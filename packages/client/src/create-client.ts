import type { Clients, Version } from '#api'
import { allOperations } from '#tables/all-operations'
import { lifecycles } from '#tables/lifecycles'
import { showCallerOfReader } from './caller.ts'
import { createView } from './client-view.ts'
import { systemClock } from './clock.ts'
import {
  type DeprecationWatch,
  type OnDeprecation,
  warnDeprecation,
  watchDeprecation,
} from './deprecation.ts'
import { withDefaults } from './environment.ts'
import { explain } from './explain.ts'
import { parseExactValues } from './json-values.ts'
import type { OperationRow } from './operation-row.ts'
import type { TransportOptions } from './options.ts'
import type { WaitFor } from './public-types.ts'
import { shareClasses } from './share-classes.ts'
import { waitFor } from './wait-for.ts'

/** A client's options. */
export interface ClientOptions<V extends Version = Version> extends TransportOptions {
  /**
   * The version for calls that don't set their own version. This version also determines the types. Any date works
   * because each operation uses its newest version up to that date.
   */
  readonly version: V
  /** Called once for each deprecated operation and version. By default, the client logs a line to the console. */
  readonly onDeprecation?: OnDeprecation | undefined
}

/**
 * Creates a client with all of a version's operations.
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
 * @throws TypeError for an invalid `baseUrl` or version, unknown credentials, a timeout of 0 or less, or a negative
 *   number of retries. Calls throw `ApiError` or its subclass for the status, `NetworkError`, `TimeoutError` and
 *   `ParseError`. Calls throw a `TypeError` for arguments that can't be sent. Aborted calls throw the signal's abort
 *   reason.
 */
export function createClient<V extends Version>(options: ClientOptions<V>): Clients[V] {
  const settings = { ...withDefaults(options), parseJson: options.parseJson ?? parseExactValues }
  const wait: WaitFor = async (id, read, given) => {
    if (!Object.hasOwn(lifecycles, id)) {
      throw new TypeError(`unknown lifecycle ${id}: expected ${Object.keys(lifecycles).join(', ')}`)
    }
    return await waitFor(lifecycles[id], read, { ...given, clock: given?.clock ?? options.clock })
  }
  shareClasses()
  const { clock = systemClock } = options
  const warn: OnDeprecation = (notice) => warnDeprecation(notice, clock.now())
  const watch = watchDeprecation(options.onDeprecation ?? warn)
  const extra = { waitFor: wait }
  const show = explain(options.credentials)
  return createView(settings, allOperations, watch, extra, show, showCallerOfReader) as Clients[V]
}

/** Options for a client with selected operations. */
export interface PartialClientOptions<V extends Version, Rows>
  extends Omit<ClientOptions<V>, 'onDeprecation'> {
  /** Rows from `@svc-admin/client/operations`, by operation ID. */
  readonly operations: Rows
  /** The result of `watchDeprecation(callback)`. If omitted, deprecation headers are ignored. */
  readonly deprecation?: DeprecationWatch | undefined
}

/** A client with the selected operations that exist in the version. */
export type PartialClient<V extends Version, Rows> = Pick<
  Clients[V],
  Extract<keyof Rows | 'version', keyof Clients[V]>
> & {
  /** Returns a client for a different version. Both clients share connections, tokens and rate-limit pauses. */
  at<Other extends Version>(version: Other): PartialClient<Other, Rows>
}

/**
 * Creates a client with only the given operations, for small bundles.
 *
 * @example
 * const client = createPartialClient({ baseUrl, credentials, version: '2024-05-30', operations: { listAlerts } })
 * @throws TypeError for the same invalid options as `createClient`.
 */
export function createPartialClient<V extends Version, Rows extends Readonly<Record<string, OperationRow>>>(
  options: PartialClientOptions<V, Rows>,
): PartialClient<V, Rows> {
  const view: unknown = createView(options, Object.values(options.operations), options.deprecation)
  return view as PartialClient<V, Rows>
}
