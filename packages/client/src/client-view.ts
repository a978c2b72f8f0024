import { versions } from '#tables/versions'
import type { ParseJson } from './json.ts'
import { createOperation, createRun, type Run } from './operation.ts'
import type { OperationRow } from './operation-row.ts'
import type { Transport } from './transport.ts'
import { findVersion, resolveVersion } from './version.ts'

export interface ViewOptions {
  readonly transport: Transport
  readonly rows: readonly OperationRow[]
  readonly parseJson: ParseJson
  /** What a view has besides the operations. */
  readonly extend?: ((run: Run, rows: readonly OperationRow[]) => object) | undefined
}

/**
 * A client pinned to one version: each operation that exists there, and `at` for the same client elsewhere.
 *
 * @throws TypeError for what can be no version.
 */
export function createView(options: ViewOptions, version: string): object {
  resolveVersion({ id: 'a client', versions: Object.keys(versions) }, version)
  const { transport, rows, parseJson, extend } = options
  const run = createRun(transport, version, parseJson)
  const here = rows.filter((row) => findVersion(row, version))
  return {
    version,
    at: (other: string) => createView(options, other),
    ...extend?.(run, here),
    ...Object.fromEntries(here.map((row) => [row.id, createOperation(run, row)])),
  }
}
