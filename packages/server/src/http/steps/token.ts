import { limits, tokenErrors } from '@svc-admin/types'
import { basicChallenge, parseBasic } from '../../auth/basic.ts'
import { sameText, sha256 } from '../../auth/secrets.ts'
import { tokenProblem } from '../../domain/token-problem.ts'
import { rateWindows } from '../../persistence/rate-windows.ts'
import { parseMediaType } from '../media-type.ts'
import { occurrences } from '../raw-headers.ts'
import { readBody } from '../read-body.ts'
import type { RequestContext, Step } from '../request-context.ts'

const formType = 'x-www-form-urlencoded'

/** Sets headers that prevent caching of tokens, as required by RFC 6749 §5.1. */
export const forbidStoring: Step = {
  name: 'no store',
  run: ({ headers }) => {
    headers['cache-control'] = 'no-store'
    headers.pragma = 'no-cache'
  },
}

/** Authenticates the client. If authentication fails, returns 401, 403 or 429. */
export const authenticateClient: Step = {
  name: 'client',
  run: async (context) => {
    const { world, raw, now, address } = context
    // Repeated credentials are ambiguous (RFC 6749 §5.2).
    if (occurrences(raw.rawHeaders, 'authorization') > 1)
      throw invalidCredentials('The Authorization header appears more than once.')
    const credentials = parseBasic(raw.headers.authorization)
    if (!credentials) throw invalidClient()
    const { clientId, clientSecret } = credentials
    // Count each attempt before checking the secret, so that wrong guesses also count.
    const wait = await rateWindows.take(
      world.database,
      `token ${sha256(clientId)}`,
      limits.tokenRequests,
      now,
    )
    if (wait !== undefined) throw tokenProblem('rate_limited', { headers: { 'retry-after': String(wait) } })
    const principal = await world.principals.serviceAccount(clientId)
    const isValid = sameText(sha256(clientSecret), principal?.secretHash ?? sha256(''))
    if (!principal || !isValid) throw invalidClient()
    if (!principal.accessList.allows(address)) throw tokenProblem('access_denied')
    context.principal = principal
  },
}

/** Returns 400 if the body doesn't request a client credentials grant. */
export const readGrant: Step = {
  name: 'grant',
  run: async (context) => {
    const { raw, options } = context
    if (occurrences(raw.rawHeaders, 'content-type') > 1)
      throw invalidRequest('The Content-Type header appears more than once.')
    const type = parseMediaType(raw.headers['content-type'] ?? '')
    const isForm = type?.type === 'application' && type.subtype === formType
    if (!isForm) throw invalidRequest(`The body must have the media type application/${formType}.`)
    context.body = grantOf(await readBody(raw, options.bodyLimit), context.principal.id)
  },
}

function grantOf(bytes: Buffer, clientId: string): RequestContext['body'] {
  const form = new URLSearchParams(bytes.toString('utf8'))
  // Parameters must not be repeated, and a parameter without a value counts as missing (RFC 6749 §3.2).
  // Use a set, because comparing all pairs of names would take minutes for a large body.
  const names = new Set<string>()
  const repeated = [...form.keys()].find((name) => names.has(name) || !names.add(name))
  if (repeated !== undefined) {
    throw invalidRequest(`The form parameter ${repeated.slice(0, 100)} appears more than once.`)
  }
  // Only one authentication method is allowed (RFC 6749 §2.3).
  // Some libraries also send `client_id`, which is harmless if it contains the same ID.
  const named = form.get('client_id') || clientId
  if (form.get('client_secret'))
    throw invalidCredentials('The request contains both an Authorization header and a client_secret.')
  if (named !== clientId)
    throw invalidCredentials("The form's client_id differs from the Authorization header.")
  const grant = form.get('grant_type') ?? ''
  if (grant === '') throw invalidRequest('The form must include the grant_type parameter.')
  if (grant !== 'client_credentials') throw tokenProblem('unsupported_grant_type')
  return { grant_type: grant }
}

const invalidRequest = (description: string) => tokenProblem('invalid_request', { description })

/**
 * Creates an `invalid_request` error for invalid credentials. The beginning of the message comes from the specification
 * source.
 */
const invalidCredentials = (reason: string) =>
  invalidRequest(`${tokenErrors.invalid_request.description}: ${reason}`)

function invalidClient() {
  return tokenProblem('invalid_client', { headers: { 'www-authenticate': basicChallenge } })
}
