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

/** A token is nobody's but the caller's (RFC 6749 §5.1). */
export const forbidStoring: Step = {
  name: 'no store',
  run: ({ headers }) => {
    headers['cache-control'] = 'no-store'
    headers.pragma = 'no-cache'
  },
}

/** 401, 403 and 429: who asks, from where, and how often. */
export const authenticateClient: Step = {
  name: 'client',
  run: async (context) => {
    const { world, raw, now, address } = context
    // RFC 6749 §5.2: nobody could say which of two credentials were meant.
    if (occurrences(raw.rawHeaders, 'authorization') > 1)
      throw invalidCredentials('The header Authorization is given twice.')
    const credentials = parseBasic(raw.headers.authorization)
    if (!credentials) throw invalidClient()
    const { clientId, clientSecret } = credentials
    // Before the secret is looked at: wrong guesses count too.
    const wait = await rateWindows.take(
      world.database,
      `token ${sha256(clientId)}`,
      limits.tokenRequests,
      now,
    )
    if (wait !== undefined) throw tokenProblem('rate_limited', { headers: { 'retry-after': String(wait) } })
    const principal = await world.principals.serviceAccount(clientId)
    const right = sameText(sha256(clientSecret), principal?.secretHash ?? sha256(''))
    if (!principal || !right) throw invalidClient()
    if (!principal.accessList.allows(address)) throw tokenProblem('access_denied')
    context.principal = principal
  },
}

/** 400 for anything but the form of a client-credentials grant. */
export const readGrant: Step = {
  name: 'grant',
  run: async (context) => {
    const { raw, options } = context
    if (occurrences(raw.rawHeaders, 'content-type') > 1)
      throw invalidRequest('The header Content-Type is given twice.')
    const type = parseMediaType(raw.headers['content-type'] ?? '')
    const isForm = type?.type === 'application' && type.subtype === formType
    if (!isForm) throw invalidRequest(`The body must be of the type application/${formType}.`)
    context.body = grantOf(await readBody(raw, options.bodyLimit), context.principal.id)
  },
}

function grantOf(bytes: Buffer, clientId: string): RequestContext['body'] {
  const form = new URLSearchParams(bytes.toString('utf8'))
  // RFC 6749 §3.2: no parameter twice; one without a value counts as left out.
  // As many as a body has room for: to look for each among all others would hold up everybody for minutes.
  const names = new Set<string>()
  const twice = [...form.keys()].find((name) => names.has(name) || !names.add(name))
  if (twice !== undefined) throw invalidRequest(`The form has the parameter ${twice.slice(0, 100)} twice.`)
  // RFC 6749 §2.3: one way to authenticate and no other. Its own name alone is none, and libraries do add it.
  const named = form.get('client_id') || clientId
  if (form.get('client_secret'))
    throw invalidCredentials('The form has client_secret beside the header Authorization.')
  if (named !== clientId)
    throw invalidCredentials('The form has another client_id than the header Authorization.')
  const grant = form.get('grant_type') ?? ''
  if (grant === '') throw invalidRequest('The form needs the parameter grant_type.')
  if (grant !== 'client_credentials') throw tokenProblem('unsupported_grant_type')
  return { grant_type: grant }
}

const invalidRequest = (description: string) => tokenProblem('invalid_request', { description })

/** It is the credentials that are wrong with the request, of which the source has the words. */
const invalidCredentials = (why: string) =>
  invalidRequest(`${tokenErrors.invalid_request.description}: ${why}`)

function invalidClient() {
  return tokenProblem('invalid_client', { headers: { 'www-authenticate': basicChallenge } })
}
