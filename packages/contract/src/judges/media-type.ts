import { sameMediaType } from '../http/media-type.ts'
import { isApiResponse, isError, type Judge, type Opinion, type Seen } from './judge.ts'

const inMediaType = (seen: Seen): Opinion => {
  const { cell, contentType, exchange, status } = seen
  if (isError(seen) || status >= 300 || exchange.response.body === '' || seen.call.offRoute) return 'nothing'
  if (contentType !== undefined && sameMediaType(contentType, cell.row.mediaType)) return 'kept'
  return { expected: `Content-Type ${cell.row.mediaType}`, actual: contentType ?? 'no Content-Type' }
}

/** A success of v2 is in the media type of the resolved version (compared as RFC 9110 §8.3.1 says). */
export const versionedMediaType: Judge = {
  requirement: 'versions.content-type-names-resolved',
  judge: (seen) =>
    isApiResponse(seen) && seen.cell.version.generation === 'v2' ? inMediaType(seen) : 'nothing',
}

/** A success of v1.0 is plain JSON. */
export const plainMediaType: Judge = {
  requirement: 'versions.plain-json-served',
  judge: (seen) =>
    isApiResponse(seen) && seen.cell.version.generation === 'v1.0' ? inMediaType(seen) : 'nothing',
}

/** A token is plain JSON. RFC 6749 §5.1 says so, and the source nothing of it. */
export const tokenMediaType: Judge = {
  requirement: 'issueToken.answers-with-token',
  judge(seen) {
    const opinion = isApiResponse(seen) ? 'nothing' : inMediaType(seen)
    return typeof opinion === 'string' ? opinion : { ...opinion, strength: 'decided' }
  },
}

/** Errors are plain JSON in both generations, whatever was asked. */
export const errorMediaType: Judge = {
  requirement: 'errors.media-type',
  judge(seen) {
    if (!isError(seen)) return 'nothing'
    if (seen.contentType !== undefined && sameMediaType(seen.contentType, 'application/json')) return 'kept'
    return { expected: 'Content-Type application/json', actual: seen.contentType ?? 'no Content-Type' }
  },
}

/** Answers of v2 depend on `Accept`, and caches have to know (RFC 9110 §12.5.5). */
export const variesByAccept: Judge = {
  requirement: 'versions.vary-accept',
  judge(seen) {
    if (!isApiResponse(seen) || isError(seen) || seen.cell.version.generation !== 'v2') return 'nothing'
    const fields = seen.exchange.response.headers
      .filter(([name]) => name.toLowerCase() === 'vary')
      .flatMap(([, value]) => value.split(','))
      .map((field) => field.trim().toLowerCase())
    if (fields.includes('accept') || fields.includes('*')) return 'kept'
    return {
      expected: 'Vary: Accept',
      actual: fields.length === 0 ? 'no Vary' : `Vary: ${fields.join(', ')}`,
    }
  },
}
