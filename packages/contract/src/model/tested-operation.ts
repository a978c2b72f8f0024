import type { Cell } from './api.ts'

/** An operation in a run, with the versions that the user selected. */
export interface TestedOperation {
  readonly operation: string
  readonly area: string
  readonly versions: readonly string[]
  /** The selected versions in which the target doesn't implement the operation. */
  readonly notImplemented: readonly string[]
}

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

/** Returns whether the operation is missing from the target in all selected versions. */
export const isAbsent = ({ versions, notImplemented }: TestedOperation): boolean =>
  notImplemented.length === versions.length
