import { versions } from '#tables/versions'
import { ParseError } from './errors.ts'
import type { CallContext } from './fetch.ts'
import type { OperationRow } from './operation-row.ts'

export interface VersionRow {
  /** Before the path of every operation of this generation. */
  readonly prefix: string
  readonly mediaType: string
}

/**
 * The version of the operation that a pin means: the newest date not later than the pin. A pin that is not a
 * date stands for itself alone. Undefined when the operation does not exist at the pin.
 */
export function findVersion({ versions: owned }: OperationRow, pin: string): string | undefined {
  if (owned.includes(pin)) return pin
  return /^\d{4}-/.test(pin) ? owned.findLast((version) => /^\d/.test(version) && version < pin) : undefined
}

/** @throws TypeError when the operation does not exist at the pin. */
export function resolveVersion(row: OperationRow, pin: string): string {
  const version = findVersion(row, pin)
  if (version) return version
  throw new TypeError(`${row.id} does not exist at version ${pin}; it has ${row.versions.join(', ')}`)
}

/** Prefix and media type of a version. */
export function versionRow(version: string): VersionRow {
  const row = versions[version]
  if (!row) throw new TypeError(`unknown version ${version}`)
  return row
}

/** The date in a media type such as `application/vnd.svc.2024-05-30+json`. */
function datedVersion(contentType: string): string | undefined {
  return /\.(\d{4}-\d\d-\d\d)\+json/.exec(contentType)?.[1]
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
  const answered = datedVersion(contentType)
  if (answered !== undefined && answered !== context.version) {
    throw new ParseError(context, response, `asked for version ${context.version}`)
  }
  return answered
}
