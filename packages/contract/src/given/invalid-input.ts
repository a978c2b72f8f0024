import { type OperationRow, operations, versions } from '@svc-admin/types'
import type { Cell } from '../model/api.ts'
import type { CallChanges } from '../model/call.ts'

const methods = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'] as const

/** The methods of the cell's path in the cell's generation. */
export const offered = ({ operation, version }: Cell): string[] =>
  Object.values(operations)
    .filter(
      (other: OperationRow) =>
        other.path === operation.path &&
        versions.some(({ id, generation }) => generation === version.generation && id in other.versions),
    )
    .map(({ method }) => method)

/**
 * The methods that the path doesn't support, except HEAD and OPTIONS, because servers may choose whether to support
 * them.
 */
export const notOffered = (cell: Cell): string[] =>
  methods.filter((method) => !offered(cell).includes(method))

/** Path parameters with a pattern that a value can violate. */
export const patterned = ({ definition }: Cell) =>
  definition.parameters.filter(
    ({ in: where, schema }) => where === 'path' && schema.value.pattern !== undefined,
  )

export type InvalidInput = 'path' | 'query' | 'body'

/** The places in a valid call that can be changed to violate the schema. */
export const invalidInputsOf = (cell: Cell): InvalidInput[] => [
  ...(patterned(cell).length > 0 ? (['path'] as const) : []),
  'query',
  ...(cell.row.hasBody ? (['body'] as const) : []),
]

/** The change that makes one place in a valid call invalid. */
export const withInvalidInput = (cell: Cell, fault: InvalidInput): CallChanges => {
  if (fault === 'query') return { query: [['envelope', 'neither']] }
  if (fault === 'body') return { body: cell.definition.body?.schema.value.type === 'array' ? {} : [] }
  const [parameter] = patterned(cell)
  return { parameters: { [parameter?.name ?? '']: '!' } }
}
