import { limits } from '@svc-admin/types'
import { type Problem, problem } from '../domain/problem.ts'

/** Returns the query of a request target without decoding it, which is everything after the first `?`. */
export function queryOf(target: string): string {
  const at = target.indexOf('?')
  return at === -1 ? '' : target.slice(at + 1)
}

/**
 * Parses a query string. Repeated parameters are rejected, because proxies may interpret them differently.
 *
 * @throws {Problem} `VALIDATION_ERROR` with the names of the invalid parameters.
 */
export function parseQuery(query: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  if (query === '') return found
  const errors: QueryError[] = []
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const [name, value] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]
    const error = addParameter(found, name, value)
    if (error) errors.push(error)
  }
  if (errors.length > 0) throw queryProblem(errors)
  return found
}

/** The name of an invalid query parameter, and a sentence that describes what is wrong with it. */
export type QueryError = readonly [parameter: string, sentence: string]

/** The maximum number of errors in a response. */
const errorLimit = 20

/** Creates a problem with the first error for each parameter. */
export function queryProblem(errors: readonly QueryError[]): Problem {
  const byParameter = new Map([...errors].reverse())
  const named = [...new Set(errors.map(([parameter]) => parameter))].slice(0, errorLimit)
  return problem('VALIDATION_ERROR', {
    detail: named
      .map((parameter) => byParameter.get(parameter))
      .join(' ')
      .slice(0, limits.text.maxLength),
    parameters: named.map((parameter) => parameter.slice(0, limits.text.maxLength)),
  })
}

/** Truncates a name that is too long for an error message. */
export const shownName = (name: string): string => name.slice(0, 100)

function addParameter(found: Map<string, string>, rawName: string, text: string): QueryError | undefined {
  const name = decoded(rawName)
  if (name === undefined) {
    return [rawName, `The query contains ${shownName(rawName)}, which is not percent-encoded UTF-8.`]
  }
  if (name === '') return ['query', 'The query contains a parameter without a name.']
  if (found.has(name)) return [name, `The query parameter ${shownName(name)} appears more than once.`]
  const value = decoded(text)
  found.set(name, value ?? '')
  if (value !== undefined) return undefined
  return [name, `The value of the query parameter ${shownName(name)} is not percent-encoded UTF-8.`]
}

/** Matches percent-encoded letters, which are equivalent to unencoded letters (RFC 3986 §6.2.2.2). */
const escapedLetter = /%(?:[46][1-9a-f]|[57][0-9a])/gi

export const defaultFormat = { envelope: false, pretty: false } as const

/**
 * Reads the response format flags before the query is validated, because they also apply to error responses. A flag is
 * enabled only if it occurs once with the value `true`. Other values are rejected when the query is validated.
 */
export function formatFlags(query: string): { envelope: boolean; pretty: boolean } {
  if (query === '') return defaultFormat
  const pairs = query.replace(escapedLetter, decodeURIComponent).split('&')
  const isOn = (name: string) => {
    const [only, ...more] = pairs.filter((pair) => pair.startsWith(`${name}=`))
    return only === `${name}=true` && more.length === 0
  }
  return { envelope: isOn('envelope'), pretty: isOn('pretty') }
}

/** Decodes a string, or returns undefined if it isn't percent-encoded UTF-8. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
