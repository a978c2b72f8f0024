import { limits, type OperationRow, operations, versions } from '@svc-admin/types'
import { objectAt } from '../document/json.ts'
import { flatten } from '../document/probes.ts'
import type { Cell } from '../model/api.ts'
import type { CallChanges } from '../model/call.ts'

const methods = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'] as const

/** Returns the methods that the path supports in the API generation under test. */
export const offered = ({ operation, version }: Cell): string[] =>
  Object.values(operations)
    .filter(
      (other: OperationRow) =>
        other.path === operation.path &&
        versions.some(({ id, generation }) => generation === version.generation && id in other.versions),
    )
    .map(({ method }) => method)

/**
 * Returns the methods that the path doesn't support, except HEAD and OPTIONS. Support for HEAD and OPTIONS is optional.
 */
export const notOffered = (cell: Cell): string[] =>
  methods.filter((method) => !offered(cell).includes(method))

/** Returns the path parameters with a pattern that a value can violate. */
export const patterned = ({ definition }: Cell) =>
  definition.parameters.filter(
    ({ in: where, schema }) => where === 'path' && schema.value.pattern !== undefined,
  )

export type InvalidInput = 'path' | 'query' | 'body'

/** Returns the parts of a valid call that can be changed to make it invalid. */
export const invalidInputsOf = (cell: Cell): InvalidInput[] => [
  ...(patterned(cell).length > 0 ? (['path'] as const) : []),
  'query',
  ...(cell.row.hasBody ? (['body'] as const) : []),
]

/** Returns changes that make a valid call invalid in several places. */
export const invalidInSeveralPlaces = (cell: Cell): { label: string; changes: CallChanges }[] => {
  const { body } = cell.definition
  const fields = Object.keys(objectAt(body && flatten(cell.version.document, body.schema), 'properties'))
  return [
    {
      label: 'several query parameters',
      changes: {
        query: cell.operation.paged
          ? [
              ['pageNum', '0'],
              ['itemsPerPage', String(limits.itemsPerPage.maximum + 1)],
            ]
          : [
              ['envelope', 'neither'],
              ['pretty', 'neither'],
            ],
      },
    },
    ...(patterned(cell).length > 1
      ? [
          {
            label: 'several path parameters',
            changes: { parameters: Object.fromEntries(patterned(cell).map(({ name }) => [name, '!'])) },
          },
        ]
      : []),
    // No field of a request body is an array of arrays.
    ...(fields.length > 1
      ? [
          {
            label: 'several fields',
            changes: { body: Object.fromEntries(fields.map((name) => [name, [[[]]]])) },
          },
        ]
      : []),
  ]
}

/** Returns the change that makes one part of a valid call invalid. */
export const withInvalidInput = (cell: Cell, fault: InvalidInput): CallChanges => {
  if (fault === 'query') return { query: [['envelope', 'neither']] }
  if (fault === 'body') return { body: cell.definition.body?.schema.value.type === 'array' ? {} : [] }
  const [parameter] = patterned(cell)
  return { parameters: { [parameter?.name ?? '']: '!' } }
}
