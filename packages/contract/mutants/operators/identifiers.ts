import type { Cell } from '../../src/model/api.ts'
import { valuesIn } from '../../src/model/call.ts'
import { errorResponse, insteadOf, type MutantInput, perCell } from '../mutant.ts'
import type { ProxiedRequest } from '../proxy.ts'

const fits = (cell: Cell, name: string, value: string): boolean => {
  const parameter = cell.definition.parameters.find((one) => one.in === 'path' && one.name === name)
  return parameter === undefined || cell.version.validator.check(parameter.schema.pointer, value).length === 0
}

const schemaError =
  (cell: Cell, name: string) =>
  (request: ProxiedRequest): boolean => {
    const value = valuesIn(request.path, cell.operation.path)[name]
    return value !== undefined && !fits(cell, name, value)
  }

/**
 * Returns whether the parameter's schema rejects line breaks. Database, collection and host names can contain any
 * character.
 */
const refusesLineBreaks = (cell: Cell, name: string): boolean => !fits(cell, name, `${'0'.repeat(24)}\n`)

/**
 * Returns whether an identifier in the request ends with a line break. In some regular expression dialects, `$` also
 * matches before a final line break.
 */
const breaksLine = (cell: Cell, name: string, request: ProxiedRequest): boolean =>
  valuesIn(request.path, cell.operation.path)[name]?.endsWith('\n') ?? false

const notFound = errorResponse(404, 'RESOURCE_NOT_FOUND', 'Not Found')

const inputs = (cell: Cell): MutantInput[] =>
  cell.operation.pathParameters.flatMap((name): MutantInput[] => {
    const malformed = schemaError(cell, name)
    return [
      {
        what: `${name} malformed is not found`,
        hints: ['identifiers.malformed-refused'],
        make: () => async (request, forward) => {
          const response = await forward(request)
          return response.status === 400 && malformed(request) ? notFound : response
        },
      },
      {
        what: `${name} malformed is taken`,
        hints: ['identifiers.malformed-refused'],
        make: insteadOf(
          ({ status }, request) => status === 400 && malformed(request),
          (request, tools) => tools.good(request, cell),
        ),
      },
      ...(refusesLineBreaks(cell, name)
        ? [
            {
              what: `${name} with a line break is taken`,
              hints: ['identifiers.malformed-refused'],
              make: insteadOf(
                ({ status }, request) =>
                  status === 400 && malformed(request) && breaksLine(cell, name, request),
                (request, tools) => tools.good(request, cell),
              ),
            } satisfies MutantInput,
          ]
        : []),
      {
        what: `${name} unknown is taken`,
        hints: ['identifiers.unknown-not-found'],
        make: insteadOf(
          ({ status }, request) => status === 404 && !malformed(request),
          (request, tools) => tools.good(request, cell),
        ),
      },
      {
        what: `${name} foreign is rejected`,
        hints: ['identifiers.foreign-not-found'],
        make: () => async (request, forward) => {
          const response = await forward(request)
          return response.status === 404 ? errorResponse(403, 'INSUFFICIENT_ROLE', 'Forbidden') : response
        },
      },
    ]
  })

export const wrongIdentifiers = perCell('identifier', (cell) =>
  cell.operation.security === 'api' ? inputs(cell) : [],
)
