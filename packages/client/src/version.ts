import { ParseError } from './errors.ts'
import type { CallContext } from './fetch.ts'
import type { OperationRow } from './operation-row.ts'

/** What stands before the path of every operation of the generation, and the media type. */
export type VersionRow = readonly [prefix: string, mediaType: string]

/** What there is to know of versions: of an operation, or of all. */
type Versioned = Pick<OperationRow, 'id' | 'versions'>

/**
 * The version of the operation that a pin means: the newest date not later than the pin. A pin that is not a
 * date stands for itself alone. Undefined when the operation does not exist at the pin.
 */
export function findVersion({ versions: owned }: Versioned, pin: string): string | undefined {
  // Dates compare as text, and come before every name that starts with a letter.
  return owned.findLast((version) => version === pin || (version < pin && isDate(pin)))
}

/** The last text that was found to be a date: one is dear to read, and nearly all calls of a program have the same. */
let known: string | undefined

/** Whether it is a day of the calendar, as in `2024-02-29`. Of what is none the platform makes another day, or nothing. */
function isDate(text: string): boolean {
  if (text !== known && new Date(text).toJSON()?.slice(0, 10) === text) known = text
  return text === known
}

/** @throws TypeError when the operation does not exist at the pin. */
export function resolveVersion(row: Versioned, pin: string): string {
  const version = findVersion(row, pin)
  if (version) return version
  throw new TypeError(
    `${row.id} does not exist at version ${pin}: expected ${row.versions.join(', ')} or a date after`,
  )
}

/**
 * The version that an answer says it has, undefined where it does not say.
 *
 * @throws ParseError when it is another one than was asked for: the types would be wrong.
 */
export function checkVersion(
  context: CallContext,
  response: Response,
  contentType: string,
): string | undefined {
  // As in `application/vnd.svc.2024-05-30+json`.
  const answered = /\.([\d-]+)\+json/i.exec(contentType)?.[1]
  if (answered && answered !== context.version) {
    throw new ParseError(context, response, `asked for version ${context.version}`)
  }
  return answered
}
