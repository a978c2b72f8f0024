// These mutants break a query parameter only when a request combines it with another parameter.
import type { RequirementId } from '@svc-admin/types'
import { isObject } from '../../src/document/json.ts'
import { returnsArray } from '../../src/judges/envelope.ts'
import type { Cell } from '../../src/model/api.ts'
import { isSuccess, type MutantInput, mapJson, onResponse, perCell, queryOf, withQuery } from '../mutant.ts'

const envelopeOf = (cell: Cell): RequirementId => {
  if (returnsArray(cell)) return 'envelope.array-in-results'
  return cell.operation.paged ? 'envelope.list-in-results' : 'envelope.resource-in-content'
}

/** For each parameter, the requirement that describes its effect. */
const effects: Readonly<Record<string, (cell: Cell) => RequirementId>> = {
  envelope: envelopeOf,
  pretty: () => 'pretty.indents',
  includeCount: () => 'paging.include-count-false',
  itemsPerPage: () => 'paging.size-kept',
  pageNum: () => 'paging.number-selects',
  status: () => 'listAlerts.status-filters',
}

/** Ignores `name` if the request sets `other` to a value that isn't its default. */
const ignoredWith =
  (name: string, other: string): MutantInput['make'] =>
  () =>
  (request, forward) => {
    const value = queryOf(request).get(other)
    const differs = value !== null && value !== (other === 'includeCount' ? 'true' : 'false')
    return forward(differs ? withQuery(request, (query) => query.delete(name)) : request)
  }

/** Ignores `name` on every page except the first. */
const ignoredLater =
  (name: string): MutantInput['make'] =>
  () =>
  (request, forward) => {
    const isLater = Number(queryOf(request).get('pageNum') ?? 1) > 1
    return forward(isLater ? withQuery(request, (query) => query.delete(name)) : request)
  }

/**
 * Changes to `itemsPerPage` on later pages are detected by another requirement, because an empty page
 * doesn't show the page size.
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
      // Checks can only test `pageNum` together with `itemsPerPage`, so this combination is not a separate mutant.
      .filter((other) => other !== name && !(name === 'pageNum' && other === 'itemsPerPage'))
      .filter((other) => effects[other] !== undefined)
      .map((other) => ({
        what: `${name} ignored with ${other}`,
        hints: [hintOf(name, other, cell)],
        make: other === 'pageNum' ? ignoredLater(name) : ignoredWith(name, other),
      })),
  )
}

/** The response shows a change to a field that the request didn't change. The stored resource is correct. */
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
