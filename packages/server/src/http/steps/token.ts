import { limits } from '@svc-admin/types'
import { basicChallenge, parseBasic } from '../../auth/basic.ts'
import { sameText, sha256 } from '../../auth/secrets.ts'
import { tokenProblem } from '../../domain/token-problem.ts'
import { rateWindows } from '../../persistence/rate-windows.ts'
import type { Exchange, Step } from '../exchange.ts'
import { parseMediaType } from '../media-type.ts'
import { occurrences } from '../raw-headers.ts'
import { readBody } from '../read-body.ts'

/** A token is nobody's but the caller's (RFC 6749 §5.1). */
export const forbidStoring: Step = {
  name: 'no store',
  run: ({ headers }) => {
    headers['cache-control'] = 'no-store'
  },
}

/** 401, 403 and 429: who asks, from where, and how often. */
export const authenticateClient: Step = {
  name: 'client',
  run: async (exchange) => {
    const { world, raw, now, address } = exchange
    // RFC 6749 §5.2: nobody could say which of two credentials were meant.
    if (occurrences(raw.rawHeaders, 'authorization') > 1) throw tokenProblem('invalid_request')
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
    if (wait !== undefined) throw tokenProblem('rate_limited', { 'retry-after': String(wait) })
    const principal = await world.principals.serviceAccount(clientId)
    const right = sameText(sha256(clientSecret), principal?.kept ?? sha256(''))
    if (!principal || !right) throw invalidClient()
    if (!principal.accessList.allows(address)) throw tokenProblem('access_denied')
    exchange.principal = principal
  },
}

/** 400 for anything but the form of a client-credentials grant. */
export const readGrant: Step = {
  name: 'grant',
  run: async (exchange) => {
    const { raw, options } = exchange
    const type = parseMediaType(raw.headers['content-type'] ?? '')
    const isForm = type?.type === 'application' && type.subtype === 'x-www-form-urlencoded'
    if (!isForm) throw tokenProblem('invalid_request')
    exchange.body = grantOf(await readBody(raw, options.bodyLimit), exchange.principal.id)
  },
}

function grantOf(bytes: Buffer, clientId: string): Exchange['body'] {
  const form = new URLSearchParams(bytes.toString('utf8'))
  const names = [...form.keys()]
  // RFC 6749 §3.2: no parameter twice; one without a value counts as left out.
  if (new Set(names).size !== names.length) throw tokenProblem('invalid_request')
  // RFC 6749 §2.3: one way to authenticate and no other. Its own name alone is none, and libraries do add it.
  const named = form.get('client_id') || clientId
  if (form.get('client_secret') || named !== clientId) throw tokenProblem('invalid_request')
  const grant = form.get('grant_type') ?? ''
  if (grant === '') throw tokenProblem('invalid_request')
  if (grant !== 'client_credentials') throw tokenProblem('unsupported_grant_type')
  return { grant_type: grant }
}

function invalidClient() {
  return tokenProblem('invalid_client', { 'www-authenticate': basicChallenge })
}
