import type { RequirementId } from '@svc-admin/types'
import { challengesOf, digestChallengeOf } from '../http/challenge.ts'
import { headerValue } from '../http/exchange.ts'
import { retryAfterSeconds } from '../http/pace.ts'
import { isApiResponse, isError, type Judge } from './judge.ts'

/** Headers that a document can require, with the requirement that says so. */
export const requirementOfHeader: Readonly<Record<string, RequirementId>> = {
  Deprecation: 'versions.deprecated-carries-deprecation',
  Sunset: 'versions.sunset-carries-sunset',
  Link: 'versions.deprecated-links-successor',
  'Cache-Control': 'issueToken.not-cached',
  Pragma: 'issueToken.not-cached',
}

const declaredHeader = (name: string, requirement: RequirementId): Judge => ({
  requirement,
  judge(seen) {
    const { cell, call, exchange, toldStatus } = seen
    if (call.offRoute || isError(seen)) return 'nothing'
    // The declared success tells, also when the status is another one.
    const response =
      cell.definition.responses.get(toldStatus) ?? cell.definition.responses.get(cell.row.success)
    const declared = response?.headers.find((header) => header.name === name)
    if (declared === undefined) return 'nothing'
    const value = headerValue(exchange.response.headers, name)
    if (value === undefined)
      return declared.required ? { expected: `the header ${name}`, actual: 'no such header' } : 'nothing'
    const [misfit] = cell.version.validator.check(declared.schema.pointer, value)
    return misfit ? { expected: `${name} ${misfit.message}`, actual: `${name}: ${value}` } : 'kept'
  },
})

/** The headers that the document requires of a success are there, and fit. */
export const declaredHeaders: readonly Judge[] = Object.entries(requirementOfHeader).map(
  ([name, requirement]) => declaredHeader(name, requirement),
)

/** What a Digest challenge has to say, and how (RFC 7616 §3.3). */
const challengeParts: Readonly<Record<string, (value: string | undefined) => boolean>> = {
  realm: (value) => value !== undefined,
  nonce: (value) => value !== undefined && value !== '',
  qop: (value) => (value ?? '').split(/\s*,\s*/).includes('auth'),
  algorithm: (value) => value?.toUpperCase() === 'MD5',
  stale: (value) => /^(true|false)$/i.test(value ?? ''),
}

/**
 * A 401 carries a Digest challenge that says all that a client needs. The source says so of whoever sends no
 * credentials; that wrong ones are answered the same way, and not in their own scheme or without `stale`, is decided.
 */
export const digestChallenge: Judge = {
  requirement: 'auth.unauthorized-carries-challenge',
  judge({ status, exchange: { request, response }, ...seen }) {
    if (status !== 401 || !isApiResponse(seen)) return 'nothing'
    const strength = headerValue(request.headers, 'Authorization') === undefined ? 'stated' : 'decided'
    const challenge = digestChallengeOf(response.headers)
    const actual = headerValue(response.headers, 'WWW-Authenticate') ?? 'no WWW-Authenticate'
    if (challenge === undefined)
      return { expected: 'WWW-Authenticate with a Digest challenge', actual, strength }
    const wrong = Object.entries(challengeParts).find(([name, fits]) => !fits(challenge.parameters[name]))
    return wrong ? { expected: `a Digest challenge with a right ${wrong[0]}`, actual, strength } : 'kept'
  },
}

/** A 401 of the token endpoint carries a Basic challenge. */
export const basicChallenge: Judge = {
  requirement: 'issueToken.basic-challenge',
  judge(seen) {
    if (seen.status !== 401 || isApiResponse(seen)) return 'nothing'
    if (challengesOf(seen.exchange.response.headers, 'basic').length > 0) return 'kept'
    const actual = headerValue(seen.exchange.response.headers, 'WWW-Authenticate') ?? 'no WWW-Authenticate'
    return { expected: 'WWW-Authenticate with a Basic challenge', actual }
  },
}

/** A 405 lists the methods that the path offers (RFC 9110 §15.5.6). */
export const allow: Judge = {
  requirement: 'errors.method-not-allowed-carries-allow',
  judge({ status, exchange }) {
    if (status !== 405) return 'nothing'
    const value = headerValue(exchange.response.headers, 'Allow')
    return value === undefined ? { expected: 'the header Allow', actual: 'no such header' } : 'kept'
  },
}

const comesBack = (requirement: RequirementId, ofApi: boolean): Judge => ({
  requirement,
  judge(seen) {
    if ((seen.status !== 429 && seen.status !== 503) || isApiResponse(seen) !== ofApi) return 'nothing'
    if (retryAfterSeconds(seen.exchange, 0) !== undefined) return 'kept'
    const value = headerValue(seen.exchange.response.headers, 'Retry-After')
    return { expected: 'Retry-After with seconds or a date', actual: value ?? 'no Retry-After' }
  },
})

/** A 429 or 503 says when to come back, in seconds or as a date (RFC 9110 §10.2.3). */
export const retryAfter: Judge = comesBack('errors.retry-after', true)

export const tokenRetryAfter: Judge = comesBack('issueToken.limited-carries-retry-after', false)
