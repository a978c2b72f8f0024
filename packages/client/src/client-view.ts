import { versions } from '#tables/versions'
import type { ParseJson } from './json.ts'
import { createOperation, createRun, type WrapReader } from './operation.ts'
import type { OperationRow } from './operation-row.ts'
import type { Transport } from './transport-call.ts'
import { findVersion, resolveVersion } from './version.ts'

/**
 * Creates clients pinned to one version. Each has the operations of that version, and `at` to switch
 * versions.
 *
 * @param extra what a client has in addition to its operations
 * @throws TypeError for an invalid version, also from the function that it returns.
 */
export function createViews(
  transport: Transport,
  rows: readonly OperationRow[],
  parseJson: ParseJson,
  extra: object,
  wrap?: WrapReader,
): (version: string) => object {
  const at = (version: string): object => {
    resolveVersion({ id: 'a client', versions: Object.keys(versions) }, version)
    const run = createRun(transport, version, parseJson)
    const here = rows.filter((row) => findVersion(row, version))
    return {
      version,
      at,
      ...extra,
      ...Object.fromEntries(here.map((row) => [row.id, createOperation(run, row, wrap)])),
    }
  }
  return at
}
