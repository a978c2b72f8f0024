import type { LargeIntegers } from './json.ts'
import { createOperation, createRun } from './operation.ts'
import type { OperationRow } from './operation-row.ts'
import { createPathCalls } from './path-caller.ts'
import type { Transport } from './transport.ts'
import { findVersion } from './version.ts'

export interface ViewOptions {
  readonly transport: Transport
  readonly rows: readonly OperationRow[]
  readonly largeIntegers: LargeIntegers
  /** What every view has besides the operations. */
  readonly extra?: object
}

/** A client pinned to one version: each operation that exists there, and `at` for the same client elsewhere. */
export function createView(options: ViewOptions, version: string): object {
  const { transport, rows, largeIntegers, extra } = options
  const run = createRun(transport, version, largeIntegers)
  const here = rows.filter((row) => findVersion(row, version) !== undefined)
  return {
    version,
    at: (other: string) => createView(options, other),
    ...extra,
    ...createPathCalls(run, here),
    ...Object.fromEntries(here.map((row) => [row.id, createOperation(run, row)])),
  }
}
