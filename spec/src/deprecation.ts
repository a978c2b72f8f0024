import type { Deprecation, Operation } from './model.ts'

type Deprecated = Pick<Operation, 'operationId' | 'description' | 'x-deprecation'>

/**
 * Returns the paragraph about an operation's deprecation from the operation's description. Returns `undefined` if the
 * operation isn't deprecated. To show the paragraph separately, use `ownDescription` for the rest of the description.
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
  const end = sunset ? `, with a sunset on ${sunset}` : ''
  const next = successor ? ` ${successorText(operationId, successor)}` : ''
  return `Deprecated since ${date}${end}.${next}`
}

function successorText(operationId: string, successor: string): string {
  const [id, version] = successor.split('@')
  if (!version) return `The successor is \`${id}\`, which is not part of these documents.`
  return id === operationId
    ? `Use version ${version} instead.`
    : `Use \`${id}\` of version ${version} instead.`
}

/**
 * Returns an operation's description without the generated paragraphs about required roles and deprecation.
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

/** The data that `deprecationHeaders` needs to create the URL of an operation's successor. */
export interface SuccessorPlace {
  /** The base URL of the API. */
  readonly api: string
  /** Returns the base URL and the path template of an operation. */
  readonly placeOf: (operationId: string) => readonly [base: string, path: string] | undefined
  /** The values of the path parameters in the current request. */
  readonly values: Readonly<Record<string, string>>
}

/**
 * Returns the headers that a deprecated operation sends, with lowercase names: `deprecation` (RFC 9745), `sunset` (RFC
 * 8594), and `link` with the relation `successor-version` (RFC 5829).
 *
 * @example
 * const headers = deprecationHeaders({ date: '2024-05-30' }, { api: '/api', placeOf: () => undefined, values: {} })
 * console.log(headers.deprecation)
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
 * Returns the URL of an operation, which is given as `operationId` or `operationId@version`. Returns `undefined` if the
 * value of a path parameter is unknown. If the documents don't contain the operation, returns the API's URL with a
 * fragment.
 */
function addressOf(successor: string, { api, placeOf, values }: SuccessorPlace): string | undefined {
  const [id = ''] = successor.split('@')
  const [base, path] = placeOf(id) ?? [api, undefined]
  if (path === undefined) return `${base}#${id}`
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (names.some((name) => values[name] === undefined)) return undefined
  return base + path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}
