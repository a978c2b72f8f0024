import { type DigestCredentials, digestChallenge, isRightResponse, parseDigest } from '../../auth/digest.ts'
import type { Principal, TokenHolder } from '../../auth/principals.ts'
import { sha256 } from '../../auth/secrets.ts'
import { problem } from '../../domain/problem.ts'
import type { Eventually } from '../../persistence/dialects/dialect.ts'
import { originForm } from '../call.ts'
import type { Exchange, Step } from '../exchange.ts'
import { occurrences } from '../raw-headers.ts'

/** 401 without right credentials, 403 from an address that they may not be used from. */
export const authenticate: Step = {
  name: 'authenticate',
  run: (exchange) => {
    const principal = identify(exchange)
    if (principal instanceof Promise) return principal.then((found) => admit(exchange, found))
    admit(exchange, principal)
  },
}

function admit(exchange: Exchange, principal: Principal): void {
  if (!principal.accessList.allows(exchange.address)) {
    throw problem('IP_NOT_ALLOWED', {
      detail: `The address ${exchange.address} is not on the access list of the credentials.`,
    })
  }
  exchange.principal = principal
}

/** At once for a token that is remembered. */
function identify(exchange: Exchange): Eventually<Principal> {
  const header = soleHeader(exchange)
  const space = header.indexOf(' ')
  const scheme = header.slice(0, space).toLowerCase()
  const rest = header.slice(space + 1).trim()
  if (scheme === 'bearer') return byToken(exchange, rest)
  if (scheme === 'digest') return byDigest(exchange, rest)
  throw unauthorized(exchange)
}

/** Two `Authorization` headers would be read differently by somebody in between; Node keeps the first. */
function soleHeader({ raw }: Exchange): string {
  return occurrences(raw.rawHeaders, 'authorization') === 1 ? (raw.headers.authorization ?? '') : ''
}

/** RFC 6750 §2.1. What is looked up is the hash: to compare tokens takes longer the more of one is right. */
function byToken(exchange: Exchange, token: string): Eventually<Principal> {
  const isToken = /^[A-Za-z0-9._~+/-]+=*$/.test(token)
  const holder = isToken ? exchange.world.principals.token(sha256(token)) : undefined
  if (holder instanceof Promise) return holder.then((found) => living(exchange, found))
  return living(exchange, holder)
}

function living(exchange: Exchange, holder: TokenHolder | undefined): Principal {
  if (!holder || holder.expiresAt <= exchange.now) throw unauthorized(exchange, false, invalidToken)
  return holder.principal
}

/** RFC 6750 §3.1: whoever sent a token is told that it is the token. */
const invalidToken = ', Bearer error="invalid_token"'

/** An HA1 of nobody: an unknown name costs as much time as a wrong secret. */
const nobodysHa1 = '0'.repeat(32)

/** RFC 7616 §3.4. At once for a key that is remembered. */
function byDigest(exchange: Exchange, text: string): Eventually<Principal> {
  const credentials = parseDigest(text)
  if (!credentials || !isForTarget(credentials.uri, exchange.target)) throw unauthorized(exchange)
  const principal = exchange.world.principals.apiKey(credentials.username)
  if (principal instanceof Promise) return principal.then((found) => proven(exchange, credentials, found))
  return proven(exchange, credentials, principal)
}

/** Whoever knows the secret of the key, and has not said so in the same words before. */
function proven(
  exchange: Exchange,
  credentials: DigestCredentials,
  principal: Principal | undefined,
): Eventually<Principal> {
  const { world, raw, now } = exchange
  const right = isRightResponse(credentials, principal?.kept ?? nobodysHa1, raw.method ?? '')
  const nonce = world.nonces.check(credentials.nonce, now)
  if (!principal || !right || nonce.state === 'forged') throw unauthorized(exchange)
  if (nonce.state === 'expired') throw unauthorized(exchange, true)
  const { issuedAt, expiresAt } = nonce
  const use = { nonce: credentials.nonce, count: credentials.count, issuedAt, expiresAt, now }
  const firstUse = world.nonceUses.take(use)
  if (firstUse instanceof Promise) return firstUse.then((first) => unlessUsed(exchange, principal, first))
  return unlessUsed(exchange, principal, firstUse)
}

function unlessUsed(exchange: Exchange, principal: Principal, firstUse: boolean): Principal {
  if (!firstUse) throw unauthorized(exchange)
  if (!exchange.fault) exchange.fault = exchange.world.sandbox?.faults.strikeNonce(exchange.route.row.id)
  if (exchange.fault?.kind === 'stale-nonce') throw unauthorized(exchange, true)
  return principal
}

/** RFC 7616 §3.4.6: the target that was asked for; a proxy may have made it absolute. */
function isForTarget(uri: string, target: string): boolean {
  return uri === target || originForm(uri) === target
}

function unauthorized({ world, now }: Exchange, stale = false, besides = '') {
  const challenge = digestChallenge(world.nonces.issue(now), stale) + besides
  return problem('UNAUTHORIZED', { headers: { 'www-authenticate': challenge } })
}
