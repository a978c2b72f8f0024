import type { Operation } from './model.ts'

type Deprecated = Pick<Operation, 'operationId' | 'description' | 'x-deprecation'>

/**
 * What the description of a deprecated operation says of that, in a paragraph of its own; `undefined` for any other.
 * Whoever tells it in another place, leaves it out there.
 *
 * @example
 * const { paths } = loadDocument('2023-01-01')
 * const operation = paths['/groups/{groupId}/alerts/{alertId}']?.patch
 * if (operation) console.log(deprecationNotice(operation))
 */
export function deprecationNotice({
  operationId,
  'x-deprecation': deprecation,
}: Deprecated): string | undefined {
  if (!deprecation) return undefined
  const { date, sunset, successor } = deprecation
  const end = sunset ? `, with its sunset on ${sunset}` : ''
  const next = successor ? `: ${inItsPlace(operationId, successor)}` : ''
  return `Deprecated since ${date}${end}${next}.`
}

function inItsPlace(operationId: string, successor: string): string {
  const [id, version] = successor.split('@')
  if (!version) return `its successor is \`${id}\`, which is not in these documents`
  return id === operationId
    ? `use its version ${version} in its place`
    : `use \`${id}\` of version ${version} in its place`
}

/**
 * The description of an operation without what it says of a deprecation.
 *
 * @example
 * const { paths } = loadDocument('2023-01-01')
 * const operation = paths['/groups/{groupId}/alerts/{alertId}']?.patch
 * if (operation) console.log(ownDescription(operation))
 */
export function ownDescription(operation: Deprecated): string {
  const paragraph = `\n\n${deprecationNotice(operation)}`
  const { description } = operation
  return description.endsWith(paragraph) ? description.slice(0, -paragraph.length) : description
}
