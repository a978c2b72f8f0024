import { versions } from '@svc-admin/types'
import { Problem } from './problem.ts'
import { type Route, rowOf } from './routes.ts'

// Determines the requested version and the version of the request body.

interface MediaRange {
  readonly type: string
  readonly quality: number
}

const ranges = (header: string): MediaRange[] =>
  header
    .split(',')
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return { type, quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ type, quality }) => type !== '' && quality > 0)
    .sort((one, other) => other.quality - one.quality)

const isCalendarDate = (text: string): boolean => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** Returns the date in `application/vnd.svc.<date>+json`, or undefined for other media types. */
const versionIn = (type: string): string | undefined => /^application\/vnd\.svc\.(.*)\+json$/.exec(type)?.[1]

/** Returns the newest version on or before the date, or undefined if there is none. */
const resolved = (route: Route, date: string, today: string): string | undefined =>
  date > today ? undefined : route.versions.filter((version) => version <= date).at(-1)

export const mediaTypeOf = (version: string): string =>
  versions.find(({ id }) => id === version)?.mediaType ?? 'application/json'

const noCalendarDate = (date: string, header: string): Problem =>
  new Problem('INVALID_VERSION_DATE', `The version ${date} in ${header} is not a calendar date.`, {
    parameters: [header],
  })

const notAcceptable = (what: string): Problem =>
  new Problem(
    'NOT_ACCEPTABLE',
    `The operation supports ${what}, but the Accept header allows none of them.`,
    {
      parameters: ['Accept'],
    },
  )

const plain = ['*/*', 'application/*', 'application/json']

/** @throws Problem 406 if no version is acceptable, or 400 for an invalid version date. */
export const negotiate = (route: Route, accept: string | undefined, now: Date): string => {
  const accepted = ranges(accept ?? '*/*')
  if (route.generation === 'v1.0') {
    if (accepted.some(({ type }) => plain.includes(type))) return 'v1.0'
    throw notAcceptable('application/json')
  }
  const today = now.toISOString().slice(0, 10)
  let malformed: string | undefined
  for (const { type } of accepted) {
    const date = versionIn(type)
    if (date === undefined) continue
    if (!isCalendarDate(date)) malformed ??= date
    else {
      const version = resolved(route, date, today)
      if (version !== undefined) return version
    }
  }
  if (malformed !== undefined) throw noCalendarDate(malformed, 'Accept')
  throw notAcceptable(`the versions ${route.versions.join(', ')}`)
}

/**
 * @throws Problem 415 for an unsupported media type, or 400 if the body's version is invalid or differs from `Accept`.
 */
export const checkBodyType = (
  route: Route,
  version: string,
  contentType: string | undefined,
  now: Date,
): void => {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? ''
  const unsupported = new Problem(
    'UNSUPPORTED_MEDIA_TYPE',
    `The operation accepts ${mediaTypeOf(version)}.`,
    {
      parameters: ['Content-Type'],
    },
  )
  // JSON must be encoded in UTF-8 (RFC 8259 §8.1).
  const hasOtherCharset = /charset=(?!"?utf-8"?\s*(;|$))/i.test(contentType ?? '')
  if (type === 'application/json' && hasOtherCharset) throw unsupported
  if (route.generation === 'v1.0') {
    if (type !== 'application/json') throw unsupported
    return
  }
  // For plain JSON, the `Accept` header also selects the body's version.
  if (type === 'application/json') return
  const date = versionIn(type)
  if (date === undefined) throw unsupported
  if (!isCalendarDate(date)) throw noCalendarDate(date, 'Content-Type')
  const named = resolved(route, date, now.toISOString().slice(0, 10))
  if (named === version) return
  throw new Problem(
    'VERSION_MISMATCH',
    `Accept resolves to version ${version}, but Content-Type resolves to ${named ?? 'no version'}.`,
    { parameters: ['Accept', 'Content-Type'] },
  )
}

/** Returns the response headers for a deprecated version. */
export const deprecationHeaders = (
  route: Route,
  version: string,
  address: string,
): Record<string, string> => {
  const deprecation = rowOf(route, version)?.deprecation
  if (!deprecation) return {}
  const successor = deprecation.successor?.split('@')[1]
  return {
    Deprecation: `@${Date.parse(deprecation.date) / 1000}`,
    ...(deprecation.sunset && { Sunset: new Date(deprecation.sunset).toUTCString() }),
    ...(successor && {
      Link: `<${address}>; rel="successor-version"; type="${mediaTypeOf(successor)}"`,
    }),
  }
}
