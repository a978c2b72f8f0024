import { asNode } from './read/json.ts'
import { contentOf, type OperationView, operationAt, parametersOf, successOf } from './read/operations.ts'
import { effective, referredName } from './read/reference.ts'
import { everyOperation, type Finding, type Rule } from './read/rule.ts'

const paging = ['includeCount', 'itemsPerPage', 'pageNum']
/** Source 4.7: the list of sharded snapshots has the paged shape and no paging query. */
const withoutQuery = ['listShardedClusterSnapshots']

export const rule: Rule = {
  id: 'paged-shape',
  message:
    'a paged operation (x-paged) takes includeCount, itemsPerPage and pageNum and answers with a Paginated… schema of links, results and totalCount; no other operation does.',
  given: everyOperation,
  function(_, { path, document }) {
    const operation = operationAt(document, path)
    if (!operation) return []
    const isPaged = operation.value['x-paged'] === true
    return [...queryFaults(document, operation, isPaged), ...shapeFaults(document, operation, isPaged)].map(
      (message): Finding => ({ message, path }),
    )
  },
}

function queryFaults(document: unknown, operation: OperationView, isPaged: boolean): string[] {
  const names = parametersOf(document, operation)
    .filter(({ value }) => value.in === 'query')
    .map(({ value }) => String(value.name))
  if (isPaged) return paging.filter((name) => !names.includes(name)).map((name) => `it does not take ${name}`)
  return paging.filter((name) => names.includes(name)).map((name) => `it takes ${name} and is not x-paged`)
}

function shapeFaults(document: unknown, operation: OperationView, isPaged: boolean): string[] {
  const response = successOf(document, operation)
  const [content] = response ? contentOf(response) : []
  const name = referredName(content?.value.schema) ?? ''
  const isPage = name.startsWith('Paginated')
  if (!isPaged)
    return isPage && !withoutQuery.includes(operation.id)
      ? [`it answers with ${name} and is not x-paged`]
      : []
  if (!isPage) return ['its answer is no Paginated… schema']
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
    .map(([name, type]) => `${name} of its page is no ${type}`)
}
