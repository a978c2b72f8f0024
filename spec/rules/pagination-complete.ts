import { asNode } from './read/json.ts'
import { contentOf, type OperationView, operationAt, parametersOf, successOf } from './read/operations.ts'
import { effective, referredName } from './read/reference.ts'
import { everyOperation, type Finding, type Rule } from './read/rule.ts'

const paging = ['includeCount', 'itemsPerPage', 'pageNum']
/**
 * According to section 4.7 of the specification source, this operation returns a paginated list but has no parameters
 * for pagination.
 */
const withoutQuery = ['listShardedClusterSnapshots']

export const rule: Rule = {
  id: 'pagination-complete',
  message:
    'a paginated operation (x-paged) must have the parameters includeCount, itemsPerPage and pageNum and return a Paginated… schema with links, results and totalCount. Other operations must have none of these.',
  why: 'Clients can page through every list in the same way.',
  scope: 'ours',
  given: everyOperation,
  function(_, { path, document }) {
    const operation = operationAt(document, path)
    if (!operation) return []
    const isPaged = operation.value['x-paged'] === true
    return [
      ...queryFaults(document, operation, isPaged),
      ...responseFaults(document, operation, isPaged),
    ].map((message): Finding => ({ message, path }))
  },
}

function queryFaults(document: unknown, operation: OperationView, isPaged: boolean): string[] {
  const names = parametersOf(document, operation)
    .filter(({ value }) => value.in === 'query')
    .map(({ value }) => String(value.name))
  if (isPaged)
    return paging.filter((name) => !names.includes(name)).map((name) => `the parameter ${name} is missing`)
  return paging
    .filter((name) => names.includes(name))
    .map((name) => `the operation has the parameter ${name}, but is not x-paged`)
}

function responseFaults(document: unknown, operation: OperationView, isPaged: boolean): string[] {
  const response = successOf(document, operation)
  const [content] = response ? contentOf(response) : []
  const name = referredName(content?.value.schema) ?? ''
  const isPage = name.startsWith('Paginated')
  if (!isPaged)
    return isPage && !withoutQuery.includes(operation.id)
      ? [`the operation returns ${name}, but is not x-paged`]
      : []
  if (!isPage) return ['the response is not a Paginated… schema']
  return fieldFaults(document, effective(document, content?.value.schema))
}

function fieldFaults(document: unknown, page: Record<string, unknown>): string[] {
  const properties = asNode(page.properties)
  const types: [string, string][] = [
    ['links', 'array'],
    ['results', 'array'],
    ['totalCount', 'integer'],
  ]
  return types
    .filter(([name, type]) => effective(document, properties[name]).type !== type)
    .map(([name, type]) => `the page's ${name} field is not of type ${type}`)
}
