import { limits } from '@svc-admin/types'
import { type Problem, problem } from '../domain/problem.ts'

/** The part of a request target after the first `?`, undecoded. */
export function queryOf(target: string): string {
  const at = target.indexOf('?')
  return at === -1 ? '' : target.slice(at + 1)
}

/**
 * Reads a query. A parameter given twice could be read differently by somebody in between, so it is refused.
 *
 * @throws {Problem} `VALIDATION_ERROR` naming what cannot be read.
 */
export function parseQuery(query: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  if (query === '') return found
  const faults: QueryError[] = []
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const [name, value] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]
    const fault = addParameter(found, name, value)
    if (fault) faults.push(fault)
  }
  if (faults.length > 0) throw queryProblem(faults)
  return found
}

/** What is wrong with a query, and the parameter at fault. */
export type QueryError = readonly [parameter: string, sentence: string]

/** How many faults one answer names. */
const errorLimit = 20

/** Each parameter is named once, with what was found first. */
export function queryProblem(faults: readonly QueryError[]): Problem {
  const byParameter = new Map([...faults].reverse())
  const named = [...new Set(faults.map(([parameter]) => parameter))].slice(0, errorLimit)
  return problem('VALIDATION_ERROR', {
    detail: named
      .map((parameter) => byParameter.get(parameter))
      .join(' ')
      .slice(0, limits.text.maxLength),
    parameters: named.map((parameter) => parameter.slice(0, limits.text.maxLength)),
  })
}

/** Of a name that would make the sentence about it unreadable, its beginning. */
export const shownName = (name: string): string => name.slice(0, 100)

function addParameter(found: Map<string, string>, written: string, text: string): QueryError | undefined {
  const name = decoded(written)
  if (name === undefined) {
    return [written, `The query holds ${shownName(written)}, which is not percent-encoded UTF-8.`]
  }
  if (name === '') return ['query', 'The query holds a parameter without a name.']
  if (found.has(name)) return [name, `The query parameter ${shownName(name)} is given twice.`]
  const value = decoded(text)
  found.set(name, value ?? '')
  if (value !== undefined) return undefined
  return [name, `The value of the query parameter ${shownName(name)} is not percent-encoded UTF-8.`]
}

/** A letter that was escaped without need is that letter (RFC 3986 §6.2.2.2). */
const escapedLetter = /%(?:[46][1-9a-f]|[57][0-9a])/gi

/** The shape that nobody asked to be otherwise. */
export const defaultFormat = { envelope: false, pretty: false } as const

/**
 * The flags that shape an answer, read before anything is checked: a refusal has the shape that was asked for
 * too. A flag that is not exactly `true`, once, is off here, and refused in its turn.
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

/** Undefined for what is not percent-encoded UTF-8. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
