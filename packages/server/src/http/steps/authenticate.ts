import { type DigestCredentials, digestChallenge, isRightResponse, parseDigest } from '../../auth/digest.ts'
import type { Principal, TokenHolder } from '../../auth/principals.ts'
import { sha256 } from '../../auth/secrets.ts'
import { problem } from '../../domain/problem.ts'
import type { Eventually } from '../../persistence/dialects/dialect.ts'
import { originForm } from '../call.ts'
import { occurrences } from '../raw-headers.ts'
import type { RequestContext, Step } from '../request-context.ts'

/** 401 without right credentials, 403 from an address that they may not be used from. */
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
      detail: `The address ${context.address} is not on the access list of the credentials.`,
    })
  }
  context.principal = principal
}

/** At once for a token that is remembered. */
function identify(context: RequestContext): Eventually<Principal> {
  const header = soleHeader(context)
  const space = header.indexOf(' ')
  const scheme = header.slice(0, space).toLowerCase()
  const rest = header.slice(space + 1).trim()
  if (scheme === 'bearer') return byToken(context, rest)
  if (scheme === 'digest') return byDigest(context, rest)
  throw unauthorized(context)
}

/** Two `Authorization` headers would be read differently by somebody in between; Node keeps the first. */
function soleHeader({ raw }: RequestContext): string {
  return occurrences(raw.rawHeaders, 'authorization') === 1 ? (raw.headers.authorization ?? '') : ''
}

/** RFC 6750 §2.1. What is looked up is the hash: to compare tokens takes longer the more of one is right. */
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

/** RFC 6750 §3.1: whoever sent a token is told that it is the token. */
const invalidToken = ', Bearer error="invalid_token"'

/** An HA1 of nobody: an unknown name costs as much time as a wrong secret. */
const dummyHa1 = '0'.repeat(32)

/** RFC 7616 §3.4. At once for a key that is remembered. */
function byDigest(context: RequestContext, text: string): Eventually<Principal> {
  const credentials = parseDigest(text)
  if (!credentials || !isForTarget(credentials.uri, context.target)) throw unauthorized(context)
  const principal = context.world.principals.apiKey(credentials.username)
  if (principal instanceof Promise)
    return principal.then((found) => verifyDigest(context, credentials, found))
  return verifyDigest(context, credentials, principal)
}

/** Whoever knows the secret of the key, and has not said so in the same words before. */
function verifyDigest(
  context: RequestContext,
  credentials: DigestCredentials,
  principal: Principal | undefined,
): Eventually<Principal> {
  const { world, raw, now } = context
  const right = isRightResponse(credentials, principal?.secretHash ?? dummyHa1, raw.method ?? '')
  const nonce = world.nonces.check(credentials.nonce, now)
  if (!principal || !right || nonce.state === 'forged') throw unauthorized(context)
  if (nonce.state === 'expired') throw unauthorized(context, true)
  const { issuedAt, expiresAt } = nonce
  const use = { nonce: credentials.nonce, count: credentials.count, issuedAt, expiresAt, now }
  const firstUse = world.nonceUses.record(use)
  if (firstUse instanceof Promise) return firstUse.then((first) => requireFirstUse(context, principal, first))
  return requireFirstUse(context, principal, firstUse)
}

function requireFirstUse(context: RequestContext, principal: Principal, firstUse: boolean): Principal {
  if (!firstUse) throw unauthorized(context)
  if (!context.fault) context.fault = context.world.sandbox?.faults.triggerStaleNonce(context.route.row.id)
  if (context.fault?.kind === 'stale-nonce') throw unauthorized(context, true)
  return principal
}

/** RFC 7616 §3.4.6: the target that was asked for; a proxy may have made it absolute. */
function isForTarget(uri: string, target: string): boolean {
  return uri === target || originForm(uri) === target
}

function unauthorized({ world, now }: RequestContext, stale = false, besides = '') {
  const challenge = digestChallenge(world.nonces.issue(now), stale) + besides
  return problem('UNAUTHORIZED', { headers: { 'www-authenticate': challenge } })
}
