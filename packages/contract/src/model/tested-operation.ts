import type { Cell } from './api.ts'

/** An operation that a run tests, with its versions. */
export interface TestedOperation {
  readonly operation: string
  readonly area: string
  /** The selected versions. */
  readonly versions: readonly string[]
  /** The selected versions that the target doesn't implement. */
  readonly notImplemented: readonly string[]
}

/** Groups the selected cells by operation. */
export const testedOperations = (cells: readonly Cell[], absent: ReadonlySet<Cell>): TestedOperation[] => {
  const byOperation = new Map<string, Cell[]>()
  for (const cell of cells)
    byOperation.set(cell.operation.id, [...(byOperation.get(cell.operation.id) ?? []), cell])
  return [...byOperation].map(([operation, own]) => ({
    operation,
    area: own[0]?.operation.area ?? '',
    versions: own.map(({ version }) => version.id),
    notImplemented: own.filter((cell) => absent.has(cell)).map(({ version }) => version.id),
  }))
}

/** Whether the target doesn't have the operation in any selected version. */
export const isAbsent = ({ versions, notImplemented }: TestedOperation): boolean =>
  notImplemented.length === versions.length
