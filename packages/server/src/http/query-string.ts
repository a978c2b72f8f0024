import { problem } from '../domain/problem.ts'

/** The part of a request target after the first `?`, undecoded. */
export function queryOf(target: string): string {
  const at = target.indexOf('?')
  return at === -1 ? '' : target.slice(at + 1)
}

/**
 * Reads a query. A parameter given twice could be read differently by somebody in between, so it is refused.
 *
 * @throws {Problem} `VALIDATION_ERROR`.
 */
export function parseQuery(query: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  if (query === '') return found
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals === -1 ? pair : pair.slice(0, equals))
    if (found.has(name)) throw refused(`The query parameter ${shown(name)} is given twice.`, name)
    found.set(name, equals === -1 ? '' : decode(pair.slice(equals + 1)))
  }
  return found
}

/** A letter that was escaped without need is that letter (RFC 3986 §6.2.2.2). */
const escapedLetter = /%(?:[46][1-9a-f]|[57][0-9a])/gi

/**
 * The flags that shape an answer, read before anything is checked: a refusal has the shape that was asked for
 * too. A flag that is not exactly `true`, once, is off here, and refused in its turn.
 */
export function shapeFlags(query: string): { envelope: boolean; pretty: boolean } {
  if (query === '') return { envelope: false, pretty: false }
  const pairs = query.replace(escapedLetter, decodeURIComponent).split('&')
  const isOn = (name: string) => {
    const [only, ...more] = pairs.filter((pair) => pair.startsWith(`${name}=`))
    return only === `${name}=true` && more.length === 0
  }
  return { envelope: isOn('envelope'), pretty: isOn('pretty') }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw refused(`The query holds ${shown(text)}, which is not percent-encoded UTF-8.`, shown(text))
  }
}

const shown = (text: string): string => text.slice(0, 100)

function refused(detail: string, parameter: string) {
  return problem('VALIDATION_ERROR', { detail, parameters: [shown(parameter)] })
}
