import { versions } from '#tables/versions'
import type { ShowCaller } from './caller.ts'
import type { DeprecationWatch } from './deprecation.ts'
import { parseExact } from './json.ts'
import { createOperation, type Run, type WrapReader } from './operation.ts'
import type { OperationRow } from './operation-row.ts'
import type { TransportOptions } from './options.ts'
import { createTransport } from './transport.ts'
import { findVersion, resolveVersion } from './version.ts'

/**
 * Creates a client with one version's operations and an `at` method for switching to another version.
 *
 * @param extra Additional properties for the client.
 * @throws TypeError for an invalid version. Calling the client's `at` method with an invalid version throws the same
 *   error.
 */
export function createView(
  options: TransportOptions & { readonly version: string },
  rows: readonly OperationRow[],
  watch: DeprecationWatch | undefined,
  extra?: object,
  show?: ShowCaller,
  wrap?: WrapReader,
): object {
  const { parseJson = parseExact } = options
  const transport = createTransport(options, watch, show)
  const at = (version: string): object => {
    resolveVersion({ id: 'the API', versions: Object.keys(versions) }, version)
    const run: Run = (row, args = {}, call) =>
      transport({
        row,
        args,
        options: call,
        version: call?.version ?? version,
        parseJson: call?.parseJson ?? parseJson,
      })
    const here = rows.filter((row) => findVersion(row, version))
    return {
      version,
      at,
      ...extra,
      ...Object.fromEntries(here.map((row) => [row.id, createOperation(run, row, wrap)])),
    }
  }
  return at(options.version)
}
