// These mutants break a query parameter, but only in requests that combine it with another parameter.
import type { RequirementId } from '@svc-admin/types'
import { isObject } from '../../src/document/json.ts'
import { returnsArray } from '../../src/judges/envelope.ts'
import type { Cell } from '../../src/model/api.ts'
import { isSuccess, type MutantInput, mapJson, onResponse, perCell, queryOf, withQuery } from '../mutant.ts'

const envelopeOf = (cell: Cell): RequirementId => {
  if (returnsArray(cell)) return 'envelope.array-in-results'
  return cell.operation.paged ? 'envelope.list-in-results' : 'envelope.resource-in-content'
}

/** Maps each parameter to the requirement that describes the parameter's effect. */
const effects: Readonly<Record<string, (cell: Cell) => RequirementId>> = {
  envelope: envelopeOf,
  pretty: () => 'pretty.indents',
  includeCount: () => 'paging.include-count-false',
  itemsPerPage: () => 'paging.size-kept',
  pageNum: () => 'paging.number-selects',
  status: () => 'listAlerts.status-filters',
}

/** Makes the server ignore `name` if the request sets `other` to a value that isn't the default. */
const ignoredWith =
  (name: string, other: string): MutantInput['make'] =>
  () =>
  (request, forward) => {
    const value = queryOf(request).get(other)
    const differs = value !== null && value !== (other === 'includeCount' ? 'true' : 'false')
    return forward(differs ? withQuery(request, (query) => query.delete(name)) : request)
  }

/** Makes the server ignore `name` on every page except the first. */
const ignoredLater =
  (name: string): MutantInput['make'] =>
  () =>
  (request, forward) => {
    const isLater = Number(queryOf(request).get('pageNum') ?? 1) > 1
    return forward(isLater ? withQuery(request, (query) => query.delete(name)) : request)
  }

/**
 * Returns the requirement whose checks should detect this mutant. If the server ignores `itemsPerPage` on later pages,
 * the checks for a different requirement detect the bug. The page size isn't visible on an empty page.
 */
const hintOf = (name: string, other: string, cell: Cell): RequirementId =>
  name === 'itemsPerPage' && other === 'pageNum'
    ? 'paging.pages-partition'
    : (effects[name]?.(cell) ?? 'pretty.indents')

const pairsOf = (cell: Cell): MutantInput[] => {
  const names = cell.definition.parameters.flatMap((one) => (one.in === 'query' ? [one.name] : []))
  const isVisible = (name: string): boolean => cell.row.hasContent && effects[name] !== undefined
  return names.filter(isVisible).flatMap((name) =>
    names
      // This combination isn't a separate mutant, because the checks for `pageNum` always set `itemsPerPage` too.
      .filter((other) => other !== name && !(name === 'pageNum' && other === 'itemsPerPage'))
      .filter((other) => effects[other] !== undefined)
      .map((other) => ({
        what: `${name} ignored with ${other}`,
        hints: [hintOf(name, other, cell)],
        make: other === 'pageNum' ? ignoredLater(name) : ignoredWith(name, other),
      })),
  )
}

/**
 * Makes a response show a change in a field that the request didn't change. The server still stores the correct value.
 */
const responsesOf = ({ operation }: Cell): MutantInput[] =>
  operation.id === 'toggleAlertConfig'
    ? [
        {
          what: 'another eventTypeName in the response',
          hints: ['toggleAlertConfig.changes-nothing-else'],
          make: onResponse(isSuccess, (response) =>
            mapJson(response, (body) => (isObject(body) ? { ...body, eventTypeName: 'HOST_UP' } : body)),
          ),
        },
      ]
    : []

export const combinations = perCell('combinations', (cell) =>
  cell.operation.security === 'api' ? [...pairsOf(cell), ...responsesOf(cell)] : [],
)
