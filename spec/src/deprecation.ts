import type { Deprecation, Operation } from './model.ts'

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
 * Returns an operation's description without the generated paragraphs about its roles and its deprecation.
 *
 * @example
 * const { paths } = loadDocument('2023-01-01')
 * const operation = paths['/groups/{groupId}/alerts/{alertId}']?.patch
 * if (operation) console.log(ownDescription(operation))
 */
export function ownDescription(operation: Deprecated): string {
  const paragraph = `\n\n${deprecationNotice(operation)}`
  const { description } = operation
  const undated = description.endsWith(paragraph) ? description.slice(0, -paragraph.length) : description
  return undated.replace(/\n\nRequires [^\n]*$/, '')
}

/** Where the operation is found that comes after one. */
export interface SuccessorPlace {
  /** The address of the API that says so. */
  readonly api: string
  /** Where an operation is: what comes before its path, and the path with `{parameters}`. */
  readonly placeOf: (operationId: string) => readonly [base: string, path: string] | undefined
  /** The parameters of the path that was asked for. */
  readonly values: Readonly<Record<string, string>>
}

/**
 * What the answers of a deprecated operation say of that in their headers, by the names in lower case: `deprecation`
 * (RFC 9745), `sunset` (RFC 8594) and `link` with the relation `successor-version` (RFC 5829).
 *
 * @example
 * const told = deprecationHeaders({ date: '2024-05-30' }, { api: '/api', placeOf: () => undefined, values: {} })
 * console.log(told.deprecation)
 */
export function deprecationHeaders(
  { date, sunset, successor }: Deprecation,
  place: SuccessorPlace,
): Record<string, string> {
  const address = successor === undefined ? undefined : addressOf(successor, place)
  return {
    deprecation: `@${Date.parse(`${date}T00:00:00Z`) / 1000}`,
    ...(sunset ? { sunset: new Date(`${sunset}T00:00:00Z`).toUTCString() } : {}),
    ...(address ? { link: `<${address}>; rel="successor-version"` } : {}),
  }
}

/**
 * `operationId` or `operationId@version`; one whose path needs other values is not linked to, and one of which the
 * documents tell no path is named within the API that has it.
 */
function addressOf(successor: string, { api, placeOf, values }: SuccessorPlace): string | undefined {
  const [id = ''] = successor.split('@')
  const [base, path] = placeOf(id) ?? [api, undefined]
  if (path === undefined) return `${base}#${id}`
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (names.some((name) => values[name] === undefined)) return undefined
  return base + path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}
