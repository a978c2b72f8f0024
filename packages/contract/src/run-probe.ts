import { withdrawStaleIds } from './given/stale-ids.ts'
import type { Cell } from './model/api.ts'
import { type Selection, selectsCell } from './model/selection.ts'
import type { StaleId } from './model/stale-id.ts'
import { type TestedOperation, testedOperations } from './model/tested-operation.ts'
import type { Plan } from './run/plan.ts'
import { expectAnyImplemented, findNotImplemented } from './run-context/not-implemented.ts'
import type { RunContext } from './run-context/run-context.ts'

/** Returns the operation versions that the run may test. A read-only run tests only GET operations. */
const cellsInScope = (cells: readonly Cell[], selection: Selection): Cell[] =>
  cells.filter(
    (cell) => selectsCell(selection, cell) && (!selection.readOnly || cell.operation.method === 'GET'),
  )

/** Probes all operations in the areas of the selection, because checks also call operations that aren't selected. */
export const createProbe = (context: RunContext, selection: Selection, isCopy: boolean) => {
  const { cells } = context.api
  const selected = cellsInScope(cells, selection)
  const { versions, readOnly } = selection
  const areas = [...new Set(selected.map(({ operation }) => operation.area))]
  const probed = cellsInScope(cells, {
    areas,
    ...(versions && { versions }),
    ...(readOnly && { readOnly }),
  })
  let found: Promise<unknown> | undefined
  const operations = (): TestedOperation[] => testedOperations(selected, context.notImplemented)
  return {
    /** Returns the tested operations, and the names in the target file that don't match an existing resource. */
    facts: () => ({ operations: operations(), staleIds: context.staleIds }),
    // A copy of the demo organization doesn't use the names in the target file.
    findStaleIds: async (): Promise<readonly StaleId[]> => (isCopy ? [] : withdrawStaleIds(context, probed)),
    async probe() {
      found ??= findNotImplemented(context, probed).then((absent) => {
        for (const cell of absent) context.notImplemented.add(cell)
      })
      await found
      expectAnyImplemented(context.target.baseUrl, operations())
      return operations()
    },
  }
}

/** Returns the plan without the operations that the target doesn't implement. */
export const implementedPart = ({ cases, outside }: Plan, { notImplemented }: RunContext): Plan => ({
  cases: cases.filter(({ cell }) => !notImplemented.has(cell)),
  outside: outside.filter(({ cell }) => !notImplemented.has(cell)),
})
