import { randomBytes } from 'node:crypto'
import { parseJson, stringAt } from '../document/json.ts'
import { type ApiKey, type Authorization, basicAuthorization, type ServiceAccount } from './authorization.ts'
import { type Challenge, challengeOf } from './challenge.ts'
import { type DigestInput, digestAuthorization } from './digest.ts'
import type { Exchange, Header, RawRequest } from './exchange.ts'
import { createNoncePool, type Nonce, type NoncePool, nonceOf } from './nonces.ts'
import { type Pace, retryAfterSeconds } from './pace.ts'
import type { Secrets } from './secrets.ts'
import type { Transport } from './transport.ts'

/** The target did not hand out what every request needs: a challenge, or a token for good credentials. */
export class NoCredentials extends Error {
  override readonly name = 'NoCredentials'
}

export interface SessionOptions {
  readonly transport: Transport
  readonly secrets: Secrets
  readonly pace: Pace
  /** A request that is answered with a Digest challenge when it carries no credentials. */
  readonly challengedBy: RawRequest
  /** Path of the token endpoint, from the root of the server. */
  readonly tokenPath: string
  /** Lets time pass on the target: truly, or by moving the clock of a sandbox. */
  readonly wait: (seconds: number) => Promise<void>
  /** Milliseconds since the UNIX epoch. */
  readonly now: () => number
  /** Tokens by client id, where several sessions share them: a client id may ask for few. */
  readonly tokens?: Map<string, Promise<string>>
}

export interface SendOptions {
  /** Hand back a 429 instead of waiting as it asks. */
  readonly takeLimit?: boolean
}

/** Sends requests on behalf of credentials. */
export interface Session {
  send(request: RawRequest, authorization: Authorization, options?: SendOptions): Promise<Exchange>
  /** A challenge that no request has answered yet. */
  challenge(): Promise<Challenge>
  /** An access token, the same for every request of an account. */
  token(account: ServiceAccount): Promise<string>
  /** Forgets nonces and tokens, as after a jump of the target's clock. */
  forget(): void
}

/** Waiting longer for one answer would look like a hang. */
const longestWaitSeconds = 120
const mostWaits = 3

const withAuthorization = (request: RawRequest, value: string): RawRequest => ({
  ...request,
  headers: [...request.headers, ['Authorization', value] satisfies Header],
})

const isStale = ({ response }: Exchange): boolean =>
  response.status === 401 &&
  challengeOf(response.headers, 'digest')?.parameters.stale?.toLowerCase() === 'true'

const digestInput = (request: RawRequest, key: ApiKey, nonce: Nonce): DigestInput => ({
  username: key.publicKey,
  password: key.privateKey,
  realm: nonce.realm,
  nonce: nonce.value,
  method: request.method,
  uri: request.path,
  count: nonce.count,
  cnonce: randomBytes(8).toString('hex'),
  opaque: nonce.opaque,
  algorithm: nonce.algorithm,
})

const tokenRequest = (path: string, account: ServiceAccount): RawRequest => ({
  method: 'POST',
  path,
  headers: [
    ['Accept', 'application/json'],
    ['Content-Type', 'application/x-www-form-urlencoded'],
    ['Authorization', basicAuthorization(account)],
  ],
  body: 'grant_type=client_credentials',
})

/** Creates a session over a transport. */
export const createSession = (options: SessionOptions): Session => {
  const { transport, secrets, pace } = options
  const pools = new Map<string, NoncePool>()
  const tokens = options.tokens ?? new Map<string, Promise<string>>()

  const once = async (request: RawRequest): Promise<Exchange> => {
    await pace.turn()
    return transport.send(request)
  }

  /** Repeats an attempt as often as the target asks to wait. A Digest answer is computed anew each time. */
  const patiently = async (attempt: () => Promise<Exchange>, takeLimit = false): Promise<Exchange> => {
    for (let waits = 0; ; waits += 1) {
      const exchange = await attempt()
      const seconds =
        exchange.response.status === 429 ? retryAfterSeconds(exchange, options.now()) : undefined
      if (takeLimit || seconds === undefined || seconds > longestWaitSeconds || waits === mostWaits)
        return exchange
      await options.wait(seconds)
    }
  }

  const challenge = async (): Promise<Challenge> => {
    const { response } = await patiently(() => once(options.challengedBy))
    const found = challengeOf(response.headers, 'digest')
    if (found?.parameters.nonce === undefined)
      throw new NoCredentials(`a request without credentials got ${response.status} and no Digest challenge`)
    return found
  }

  const requestToken = async (account: ServiceAccount): Promise<string> => {
    secrets.add(basicAuthorization(account).slice('Basic '.length))
    const { response } = await patiently(() => once(tokenRequest(options.tokenPath, account)))
    const token = stringAt(parseJson(response.body), 'access_token')
    if (response.status !== 200 || token === undefined)
      throw new NoCredentials(
        `the token endpoint answered ${response.status} to the credentials of ${account.clientId}`,
      )
    secrets.add(token)
    return token
  }

  const token = (account: ServiceAccount): Promise<string> => {
    const known = tokens.get(account.clientId)
    if (known) return known
    const made = requestToken(account)
    tokens.set(account.clientId, made)
    made.catch(() => tokens.delete(account.clientId))
    return made
  }

  const poolOf = (key: ApiKey): NoncePool => {
    const pool = pools.get(key.publicKey) ?? createNoncePool(challenge)
    pools.set(key.publicKey, pool)
    return pool
  }

  const digest = async (request: RawRequest, key: ApiKey): Promise<Exchange> => {
    const pool = poolOf(key)
    for (let tries = 1; ; tries += 1) {
      const nonce = await pool.borrow()
      const authorized = withAuthorization(request, digestAuthorization(inputOf(request, key, nonce)))
      const exchange = await once(authorized)
      // Nonces age together: where one went stale, the idle ones did too.
      if (isStale(exchange)) pool.clear()
      else pool.giveBack(nonce)
      if (!isStale(exchange) || tries === 3) return exchange
    }
  }

  const inputOf = (request: RawRequest, key: ApiKey, nonce: Nonce): DigestInput =>
    digestInput({ ...request, path: transport.prefix + request.path }, key, nonce)

  const attempt = async (request: RawRequest, authorization: Authorization): Promise<Exchange> => {
    switch (authorization.kind) {
      case 'none':
        return once(request)
      case 'verbatim':
        return once(withAuthorization(request, authorization.value))
      case 'basic':
        return once(withAuthorization(request, basicAuthorization(authorization.account)))
      case 'bearer':
        return once(withAuthorization(request, `Bearer ${await token(authorization.account)}`))
      case 'digest': {
        if (authorization.spoil === undefined) return digest(request, authorization.key)
        const nonce = nonceOf(await challenge())
        nonce.count += 1
        const input = authorization.spoil(inputOf(request, authorization.key, nonce))
        return once(withAuthorization(request, digestAuthorization(input)))
      }
    }
  }

  return {
    challenge,
    token,
    send: (request, authorization, { takeLimit } = {}) =>
      patiently(() => attempt(request, authorization), takeLimit),
    forget() {
      for (const pool of pools.values()) pool.clear()
      tokens.clear()
    },
  }
}
