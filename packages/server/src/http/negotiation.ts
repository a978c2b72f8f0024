import { problem } from '../domain/problem.ts'
import { type MediaRange, parseAccept, parseMediaType, qualityOf } from './media-type.ts'

/** A version of an operation. Lists of versions are sorted from oldest to newest. */
export interface OfferedVersion {
  /** The name of the version, which is `v1.0` or a date. */
  readonly id: string
}

const datedSubtype = /^vnd\.svc\.(.*)\+json$/

/**
 * Returns the version that the client selected with `Accept`.
 *
 * @param today The current date on the world's clock, as `YYYY-MM-DD`.
 * @throws {Problem} `INVALID_VERSION_DATE` or `NOT_ACCEPTABLE` if `Accept` doesn't select a version.
 */
export function negotiateDated<V extends OfferedVersion>(
  accept: string | undefined,
  offered: readonly V[],
  today: string,
): V {
  const ranges = parseAccept(accept ?? '')
  let invalid: string | undefined
  let best: { version: V; quality: number } | undefined
  for (const range of ranges) {
    const date = dateOf(range)
    if (date === undefined || range.quality === 0) continue
    if (!isCalendarDate(date)) invalid ??= date
    const version = isCalendarDate(date) ? resolve(date, offered, today) : undefined
    if (!version || range.quality <= (best?.quality ?? 0) || isExcluded(version, ranges)) continue
    best = { version, quality: range.quality }
  }
  if (best) return best.version
  if (invalid !== undefined) throw invalidDate(invalid, 'Accept')
  throw notAcceptable(offered)
}

/**
 * Returns whether `Accept` excludes a version's media type with `q=0` (RFC 9110 §12.4.2). An excluded version can't be
 * selected with another date in `Accept`.
 */
const isExcluded = ({ id }: OfferedVersion, ranges: readonly MediaRange[]): boolean =>
  ranges.some((range) => range.quality === 0 && range.parameters.size === 0 && dateOf(range) === id)

/**
 * Checks that `Accept` allows `application/json`.
 *
 * @throws {Problem} `NOT_ACCEPTABLE` if `Accept` doesn't allow this media type.
 */
export function requirePlainJson(accept: string | undefined): void {
  if (accept === undefined || accept === '') return
  if (qualityOf(parseAccept(accept), 'application', 'json') > 0) return
  throw problem('NOT_ACCEPTABLE', {
    detail: 'The operation returns application/json, which the Accept header does not allow.',
    parameters: ['Accept'],
  })
}

/**
 * Checks that the body's media type matches the version that the client selected with `Accept`. `application/json` is
 * always accepted, because it doesn't specify a version.
 *
 * @throws {Problem} `INVALID_VERSION_DATE`, `VERSION_MISMATCH` or `UNSUPPORTED_MEDIA_TYPE` if the media type isn't
 * acceptable.
 */
export function requireSameVersion<V extends OfferedVersion>(
  contentType: string | undefined,
  chosen: V,
  offered: readonly V[],
  today: string,
): void {
  const range = parseMediaType(contentType ?? '')
  if (range && isPlainJson(range)) return
  const date = range && dateOf(range)
  if (!range || date === undefined || !isUtf8(range)) throw unsupported(contentType)
  if (!isCalendarDate(date)) throw invalidDate(date, 'Content-Type')
  const version = resolve(date, offered, today)
  if (version?.id === chosen.id) return
  const other = version ? `version ${version.id}` : 'no version'
  throw problem('VERSION_MISMATCH', {
    detail: `Accept resolves to version ${chosen.id}, but Content-Type resolves to ${other}.`,
    parameters: ['Accept', 'Content-Type'],
  })
}

/**
 * Checks that the body has the expected media type. Parameters other than `charset` are ignored.
 *
 * @throws {Problem} `UNSUPPORTED_MEDIA_TYPE` if the body has a different media type.
 */
export function requireMediaType(contentType: string | undefined, wanted: string): void {
  const range = parseMediaType(contentType ?? '')
  if (range && `${range.type}/${range.subtype}` === wanted && isUtf8(range)) return
  throw unsupported(contentType)
}

const isPlainJson = (range: MediaRange): boolean =>
  range.type === 'application' && range.subtype === 'json' && isUtf8(range)

/** The names of UTF-8 and its subset US-ASCII. The server would incorrectly decode bodies in other encodings. */
const utf8Names: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii'])

const isUtf8 = ({ parameters }: MediaRange): boolean =>
  utf8Names.has(parameters.get('charset')?.toLowerCase() ?? 'utf-8')

/** Returns whether a text is a valid `full-date` (RFC 3339). */
export function isCalendarDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return false
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

function dateOf(range: MediaRange): string | undefined {
  return range.type === 'application' ? datedSubtype.exec(range.subtype)?.[1] : undefined
}

/** Returns the newest version on or before the given date, or undefined if the date is in the future. */
function resolve<V extends OfferedVersion>(
  date: string,
  offered: readonly V[],
  today: string,
): V | undefined {
  return date > today ? undefined : offered.findLast((version) => version.id <= date)
}

function invalidDate(date: string, header: string) {
  return problem('INVALID_VERSION_DATE', {
    detail: `${date === '' ? 'The empty version' : `The version ${date.slice(0, 100)}`} in ${header} is not a calendar date.`,
    parameters: [header],
  })
}

function notAcceptable(offered: readonly OfferedVersion[]) {
  const ids = offered.map((version) => version.id)
  const names =
    ids.length > 1 ? `versions ${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}` : `version ${ids[0]}`
  return problem('NOT_ACCEPTABLE', {
    detail: `The operation supports ${names}. Set Accept to application/vnd.svc.<date>+json.`,
    parameters: ['Accept'],
  })
}

function unsupported(contentType: string | undefined) {
  const sent = contentType ? `a body of type ${contentType.slice(0, 200)}` : 'a body without a Content-Type'
  return problem('UNSUPPORTED_MEDIA_TYPE', {
    detail: `The operation does not accept ${sent}.`,
    parameters: ['Content-Type'],
  })
}
