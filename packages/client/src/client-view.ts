import { versions } from '#tables/versions'
import type { ParseJson } from './json.ts'
import { createOperation, createRun, type Run } from './operation.ts'
import type { OperationRow } from './operation-row.ts'
import type { Transport } from './transport.ts'
import { findVersion, resolveVersion } from './version.ts'

/** What a view has besides its operations. */
export type Extend = (run: Run, rows: readonly OperationRow[]) => object

/**
 * Makes clients pinned to one version: each operation that exists there, and `at` for the same client elsewhere.
 *
 * @throws TypeError, as what it makes is called, for what can be no version.
 */
export function createViews(
  transport: Transport,
  rows: readonly OperationRow[],
  parseJson: ParseJson,
  extend?: Extend,
): (version: string) => object {
  const at = (version: string): object => {
    resolveVersion({ id: 'a client', versions: Object.keys(versions) }, version)
    const run = createRun(transport, version, parseJson)
    const here = rows.filter((row) => findVersion(row, version))
    return {
      version,
      at,
      ...extend?.(run, here),
      ...Object.fromEntries(here.map((row) => [row.id, createOperation(run, row)])),
    }
  }
  return at
}
