import type { RequirementId } from '@svc-admin/types'
import { challengesOf, digestChallengeOf } from '../http/challenge.ts'
import { headerValue } from '../http/exchange.ts'
import { retryAfterSeconds } from '../http/pace.ts'
import { isApiResponse, isError, type Judge } from './judge.ts'

/** Maps each header that a document can require to the requirement to test. */
export const requirementOfHeader: Readonly<Record<string, RequirementId>> = {
  Deprecation: 'versions.deprecated-carries-deprecation',
  Sunset: 'versions.sunset-carries-sunset',
  Link: 'versions.deprecated-links-successor',
  'Cache-Control': 'issueToken.not-cached',
  Pragma: 'issueToken.not-cached',
}

const declaredHeader = (name: string, requirement: RequirementId): Judge => ({
  requirement,
  judge(judged) {
    const { cell, call, exchange, effectiveStatus } = judged
    if (call.offRoute || isError(judged)) return 'not applicable'
    // If a status isn't declared, the headers of the success status are required.
    const response =
      cell.definition.responses.get(effectiveStatus) ?? cell.definition.responses.get(cell.row.success)
    const declared = response?.headers.find((header) => header.name === name)
    if (declared === undefined) return 'not applicable'
    const value = headerValue(exchange.response.headers, name)
    if (value === undefined)
      return declared.required
        ? { expected: `the header ${name}`, actual: 'no such header' }
        : 'not applicable'
    const [schemaError] = cell.version.validator.check(declared.schema.pointer, value)
    return schemaError
      ? { expected: `${name} ${schemaError.message}`, actual: `${name}: ${value}` }
      : 'passed'
  },
})

/** Successful responses have the headers that the document requires. The headers' values are valid. */
export const declaredHeaders: readonly Judge[] = Object.entries(requirementOfHeader).map(
  ([name, requirement]) => declaredHeader(name, requirement),
)

/** The parameters that a Digest challenge must have (RFC 7616 §3.3), each with a test for its value. */
const challengeParts: Readonly<Record<string, (value: string | undefined) => boolean>> = {
  realm: (value) => value !== undefined,
  nonce: (value) => value !== undefined && value !== '',
  qop: (value) => (value ?? '').split(/\s*,\s*/).includes('auth'),
  algorithm: (value) => value?.toUpperCase() === 'MD5',
  stale: (value) => /^(true|false)$/i.test(value ?? ''),
}

/**
 * A 401 response has a complete Digest challenge. The specification requires a challenge only for requests without
 * credentials. For wrong credentials and for `stale`, requiring a challenge is our decision.
 */
export const digestChallenge: Judge = {
  requirement: 'auth.unauthorized-carries-challenge',
  judge({ status, exchange: { request, response }, ...judged }) {
    if (status !== 401 || !isApiResponse(judged)) return 'not applicable'
    const strength = headerValue(request.headers, 'Authorization') === undefined ? 'stated' : 'decided'
    const challenge = digestChallengeOf(response.headers)
    const actual = headerValue(response.headers, 'WWW-Authenticate') ?? 'no WWW-Authenticate'
    if (challenge === undefined)
      return { expected: 'WWW-Authenticate with a Digest challenge', actual, strength }
    const wrong = Object.entries(challengeParts).find(([name, fits]) => !fits(challenge.parameters[name]))
    return wrong ? { expected: `a Digest challenge with a valid ${wrong[0]}`, actual, strength } : 'passed'
  },
}

/**
 * A challenge has stale=true only if the request's nonce has expired (RFC 7616 §3.3). Other rules test requests with a
 * nonce.
 */
export const challengeNotStale: Judge = {
  requirement: 'auth.challenge-not-stale',
  judge({ status, exchange: { request, response }, ...judged }) {
    if (status !== 401 || !isApiResponse(judged)) return 'not applicable'
    const sent = headerValue(request.headers, 'Authorization') ?? ''
    const challenges = challengesOf(response.headers, 'digest')
    if (/^digest\b.*\bnonce\s*=/i.test(sent) || challenges.length === 0) return 'not applicable'
    const isStale = challenges.some(({ parameters }) => parameters.stale?.toLowerCase() === 'true')
    if (!isStale) return 'passed'
    return { expected: 'no stale=true, because the request has no Digest nonce', actual: 'stale=true' }
  },
}

/** A 401 response from the token endpoint has a Basic challenge. */
export const basicChallenge: Judge = {
  requirement: 'issueToken.basic-challenge',
  judge(judged) {
    if (judged.status !== 401 || isApiResponse(judged)) return 'not applicable'
    if (challengesOf(judged.exchange.response.headers, 'basic').length > 0) return 'passed'
    const actual = headerValue(judged.exchange.response.headers, 'WWW-Authenticate') ?? 'no WWW-Authenticate'
    return { expected: 'WWW-Authenticate with a Basic challenge', actual }
  },
}

/** A 405 response lists the methods that the path supports (RFC 9110 §15.5.6). */
export const allow: Judge = {
  requirement: 'errors.method-not-allowed-carries-allow',
  judge({ status, exchange }) {
    if (status !== 405) return 'not applicable'
    const value = headerValue(exchange.response.headers, 'Allow')
    return value === undefined ? { expected: 'the header Allow', actual: 'no such header' } : 'passed'
  },
}

const comesBack = (requirement: RequirementId, ofApi: boolean): Judge => ({
  requirement,
  judge(judged) {
    if ((judged.status !== 429 && judged.status !== 503) || isApiResponse(judged) !== ofApi)
      return 'not applicable'
    if (retryAfterSeconds(judged.exchange, 0) !== undefined) return 'passed'
    const value = headerValue(judged.exchange.response.headers, 'Retry-After')
    return { expected: 'Retry-After with a number of seconds or a date', actual: value ?? 'no Retry-After' }
  },
})

/** A 429 or 503 response has a `Retry-After` header with a number of seconds or a date (RFC 9110 §10.2.3). */
export const retryAfter: Judge = comesBack('errors.retry-after', true)

export const tokenRetryAfter: Judge = comesBack('issueToken.limited-carries-retry-after', false)
