import { type DigestCredentials, digestChallenge, isValidResponse, parseDigest } from '../../auth/digest.ts'
import type { NonceUseResult } from '../../auth/nonce-uses.ts'
import type { Principal, TokenHolder } from '../../auth/principals.ts'
import { sha256 } from '../../auth/secrets.ts'
import { problem } from '../../domain/problem.ts'
import type { Eventually } from '../../persistence/dialects/dialect.ts'
import { originForm } from '../call.ts'
import { occurrences } from '../raw-headers.ts'
import type { RequestContext, Step } from '../request-context.ts'

/**
 * Authenticates the caller. Returns 401 for missing or invalid credentials, and 403 if the access list
 * doesn't contain the caller's address.
 */
export const authenticate: Step = {
  name: 'authenticate',
  run: (context) => {
    const principal = identify(context)
    if (principal instanceof Promise) return principal.then((found) => admit(context, found))
    admit(context, principal)
  },
}

function admit(context: RequestContext, principal: Principal): void {
  if (!principal.accessList.allows(context.address)) {
    throw problem('IP_NOT_ALLOWED', {
      detail: `The address ${context.address} is not on the access list for these credentials.`,
    })
  }
  context.principal = principal
}

/** Identifies the caller. Returns synchronously if the credentials are cached. */
function identify(context: RequestContext): Eventually<Principal> {
  const header = soleHeader(context)
  const space = header.indexOf(' ')
  const scheme = header.slice(0, space).toLowerCase()
  const rest = header.slice(space + 1).trim()
  if (scheme === 'bearer') return byToken(context, rest)
  if (scheme === 'digest') return byDigest(context, rest)
  throw unauthorized(context)
}

/** Rejects repeated `Authorization` headers, because Node uses the first header but a proxy may use a different one. */
function soleHeader({ raw }: RequestContext): string {
  return occurrences(raw.rawHeaders, 'authorization') === 1 ? (raw.headers.authorization ?? '') : ''
}

/**
 * Authenticates a caller by a bearer token (RFC 6750 §2.1). Looks up the token by its hash, because comparing the token
 * itself could reveal its first characters through the response time.
 */
function byToken(context: RequestContext, token: string): Eventually<Principal> {
  const isToken = /^[A-Za-z0-9._~+/-]+=*$/.test(token)
  const holder = isToken ? context.world.principals.token(sha256(token)) : undefined
  if (holder instanceof Promise) return holder.then((found) => requireUnexpired(context, found))
  return requireUnexpired(context, holder)
}

function requireUnexpired(context: RequestContext, holder: TokenHolder | undefined): Principal {
  if (!holder || holder.expiresAt <= context.now) throw unauthorized(context, false, invalidToken)
  return holder.principal
}

/** The challenge parameters for an invalid token (RFC 6750 §3.1). */
const invalidToken = ', Bearer error="invalid_token"'

/** The HA1 for unknown users. With this HA1, their requests take as long as requests with a wrong secret. */
const dummyHa1 = '0'.repeat(32)

/** Authenticates Digest credentials (RFC 7616 §3.4). Returns synchronously if the key is cached. */
function byDigest(context: RequestContext, text: string): Eventually<Principal> {
  const credentials = parseDigest(text)
  if (!credentials || !isForTarget(credentials.uri, context.target)) throw unauthorized(context)
  const principal = context.world.principals.apiKey(credentials.username)
  if (principal instanceof Promise)
    return principal.then((found) => verifyDigest(context, credentials, found))
  return verifyDigest(context, credentials, principal)
}

/** Verifies the client's response and nonce, and checks that the nonce count hasn't been used before. */
function verifyDigest(
  context: RequestContext,
  credentials: DigestCredentials,
  principal: Principal | undefined,
): Eventually<Principal> {
  const { world, raw, now } = context
  const isValid = isValidResponse(credentials, principal?.secretHash ?? dummyHa1, raw.method ?? '')
  const nonce = world.nonces.check(credentials.nonce, now)
  if (!principal || !isValid || nonce.state === 'forged') throw unauthorized(context)
  if (nonce.state === 'expired') throw unauthorized(context, true)
  const { issuedAt, expiresAt } = nonce
  const use = { nonce: credentials.nonce, count: credentials.count, issuedAt, expiresAt, now }
  const result = world.nonceUses.record(use)
  if (result instanceof Promise) return result.then((found) => requireFirstUse(context, principal, found))
  return requireFirstUse(context, principal, result)
}

function requireFirstUse(context: RequestContext, principal: Principal, result: NonceUseResult): Principal {
  if (result === 'evicted') throw unauthorized(context, true)
  if (result === 'repeated') throw unauthorized(context)
  if (!context.fault) context.fault = context.world.sandbox?.faults.triggerStaleNonce(context.route.row.id)
  if (context.fault?.kind === 'stale-nonce') throw unauthorized(context, true)
  return principal
}

/**
 * Returns whether `uri` matches the request target (RFC 7616 §3.4.6). The `uri` parameter and the target can have
 * different forms, because a proxy may convert the target to absolute form.
 */
function isForTarget(uri: string, target: string): boolean {
  return uri === target || originForm(uri) === target
}

function unauthorized({ world, now }: RequestContext, stale = false, bearerChallenge = '') {
  const challenge = digestChallenge(world.nonces.issue(now), stale) + bearerChallenge
  return problem('UNAUTHORIZED', { headers: { 'www-authenticate': challenge } })
}
