import { datesIn, hasDate, mediaTypeOfDate, sameMediaType } from '../http/media-type.ts'
import { isApiResponse, isError, type Judge, type JudgedExchange, type Opinion } from './judge.ts'

const inMediaType = (judged: JudgedExchange): Opinion => {
  const { cell, contentType, exchange, status } = judged
  if (isError(judged) || status >= 300 || exchange.response.body === '' || judged.call.offRoute)
    return 'not applicable'
  if (contentType !== undefined && sameMediaType(contentType, cell.row.mediaType)) return 'passed'
  return { expected: `Content-Type ${cell.row.mediaType}`, actual: contentType ?? 'no Content-Type' }
}

/**
 * A successful v2 response has the media type of the resolved version. Case and parameters don't
 * matter (RFC 9110 §8.3.1).
 */
export const versionedMediaType: Judge = {
  requirement: 'versions.content-type-names-resolved',
  judge: (judged) =>
    isApiResponse(judged) && judged.cell.version.generation === 'v2' ? inMediaType(judged) : 'not applicable',
}

/** Returns whether the response's date is later than all dates in `Accept`, with which clients select the version. */
const isLaterThanAsked = ({ exchange, contentType = '' }: JudgedExchange): boolean => {
  const accept = exchange.request.headers.filter(([name]) => name.toLowerCase() === 'accept')
  const asked = datesIn(accept.map(([, value]) => value).join())
  return asked.length > 0 && datesIn(contentType).some((date) => asked.every((one) => one < date))
}

/** A successful v2 response has a media type with a date that isn't later than the requested date. */
export const anyDatedMediaType: Judge = {
  requirement: 'versions.dated-media-type',
  judge(judged) {
    const isDated = isApiResponse(judged) && judged.cell.version.generation === 'v2'
    const opinion = isDated ? inMediaType(judged) : 'not applicable'
    if (typeof opinion === 'string') return opinion
    if (!hasDate(judged.contentType ?? ''))
      return { ...opinion, expected: `Content-Type ${mediaTypeOfDate('YYYY-MM-DD')}` }
    if (!isLaterThanAsked(judged)) return 'passed'
    return { ...opinion, expected: 'Content-Type with a date that is not later than the date in Accept' }
  },
}

/** The media type of a successful v1.0 response is plain JSON. */
export const plainMediaType: Judge = {
  requirement: 'versions.plain-json-served',
  judge: (judged) =>
    isApiResponse(judged) && judged.cell.version.generation === 'v1.0'
      ? inMediaType(judged)
      : 'not applicable',
}

/**
 * The media type of a token response is plain JSON. RFC 6749 §5.1 requires this media type, but the
 * specification doesn't.
 */
export const tokenMediaType: Judge = {
  requirement: 'issueToken.answers-with-token',
  judge(judged) {
    const opinion = isApiResponse(judged) ? 'not applicable' : inMediaType(judged)
    return typeof opinion === 'string' ? opinion : { ...opinion, strength: 'decided' }
  },
}

/** The media type of an error is plain JSON in both generations, regardless of the request's `Accept` header. */
export const errorMediaType: Judge = {
  requirement: 'errors.media-type',
  judge(judged) {
    if (!isError(judged)) return 'not applicable'
    if (judged.contentType !== undefined && sameMediaType(judged.contentType, 'application/json'))
      return 'passed'
    return { expected: 'Content-Type application/json', actual: judged.contentType ?? 'no Content-Type' }
  },
}

/**
 * A v2 response depends on the `Accept` header, so the `Vary` header must contain `Accept` or `*` (RFC 9110 §12.5.5).
 */
export const variesByAccept: Judge = {
  requirement: 'versions.vary-accept',
  judge(judged) {
    if (!isApiResponse(judged) || isError(judged) || judged.cell.version.generation !== 'v2')
      return 'not applicable'
    const fields = judged.exchange.response.headers
      .filter(([name]) => name.toLowerCase() === 'vary')
      .flatMap(([, value]) => value.split(','))
      .map((field) => field.trim().toLowerCase())
    if (fields.includes('accept') || fields.includes('*')) return 'passed'
    return {
      expected: 'Vary: Accept',
      actual: fields.length === 0 ? 'no Vary' : `Vary: ${fields.join(', ')}`,
    }
  },
}
