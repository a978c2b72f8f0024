import { type Authorization, basicAuthorization, type ServiceAccount } from './authorization.ts'
import { type Challenge, digestChallengeOf, isMd5 } from './challenge.ts'
import { createDigests } from './digests.ts'
import { type Exchange, type RawRequest, withAuthorization } from './exchange.ts'
import { NoCredentials } from './no-credentials.ts'
import type { Pace } from './pace.ts'
import { createRetry, type Retry, type RetryBehavior } from './retry.ts'
import type { Secrets } from './secrets.ts'
import { createTokens, type Token } from './tokens.ts'
import type { Transport } from './transport.ts'
import type { UnauthenticatedProbes } from './unauthenticated-probes.ts'

export interface HttpSessionOptions {
  readonly transport: Transport
  readonly secrets: Secrets
  readonly pace: Pace
  /** Requests that return a Digest challenge without credentials. */
  readonly unauthenticatedProbes: UnauthenticatedProbes
  /** The token endpoint's path, relative to the server's root. */
  readonly tokenPath: string
  /** Waits for the given number of seconds. */
  readonly wait: (seconds: number) => Promise<void>
  /** Advances the target's clock, if possible. */
  readonly moveClock?: ((seconds: number) => Promise<void>) | undefined
  /** Returns the time in milliseconds since the UNIX epoch. */
  readonly now: () => number
  /** The target's time, if it is known, in milliseconds from an arbitrary start. Default: `now`. */
  readonly targetNow?: () => number
  /**
   * Tokens by client ID. Several sessions share them, because the rate limit for token requests applies to the client
   * ID.
   */
  readonly tokens?: Map<string, Promise<Token>>
}

/** How to handle responses that ask for a retry, such as 429. */
export type SendOptions = RetryBehavior

/** Sends requests with credentials. */
export interface HttpSession {
  send(request: RawRequest, authorization: Authorization, options?: SendOptions): Promise<Exchange>
  /** Requests a new challenge. */
  challenge(): Promise<Challenge>
  /** Returns an access token, which all of the account's requests share. */
  token(account: ServiceAccount): Promise<Token>
  /** Discards nonces and tokens, for example after a jump of the target's clock. */
  forget(): void
  /** How many times the target has asked the kit to wait. */
  waits(): number
}

/** Creates a session that uses a transport. */
export const createHttpSession = (options: HttpSessionOptions): HttpSession => {
  const { transport, secrets, pace, tokenPath, unauthenticatedProbes, moveClock } = options
  let waits = 0
  const counting = (pass: (seconds: number) => Promise<void>) => (seconds: number) => {
    waits += 1
    return pass(seconds)
  }
  const retry = (onLimit?: (seconds: number) => void): Retry =>
    createRetry({
      ...{ now: options.now, onLimit },
      wait: counting(options.wait),
      moveClock: moveClock && counting(moveClock),
    })
  // The token endpoint and the API have different limits. The API's limit may come from a gateway.
  const [retryRequest, retryTokenRequest] = [retry(pace.slower), retry()]
  const once = async (request: RawRequest, recreate?: () => RawRequest): Promise<Exchange> => {
    await pace.turn()
    return transport.send(request, recreate)
  }
  const challenge = async (): Promise<Challenge> => {
    const { request, response } = await unauthenticatedProbes.findChallenge((probe) =>
      retryRequest(() => once(probe)),
    )
    const found = digestChallengeOf(response.headers)
    if (found?.parameters.nonce === undefined)
      throw new NoCredentials(
        `a Digest challenge (${request.method} ${transport.baseUrl}${request.path} without credentials returned ${response.status})`,
      )
    if (!isMd5(found))
      throw new NoCredentials(
        `a Digest challenge with MD5 (the target only offers ${found.parameters.algorithm})`,
      )
    return found
  }
  const sendForToken = (request: RawRequest): Promise<Exchange> => retryTokenRequest(() => once(request))
  const tokens = createTokens({
    ...{ send: sendForToken, path: tokenPath, secrets, known: options.tokens },
    now: options.targetNow ?? options.now,
  })
  const digests = createDigests({ send: once, challenge, prefix: transport.prefix })

  const attempt = async (request: RawRequest, as: Authorization): Promise<Exchange> => {
    switch (as.kind) {
      case 'none':
        return once(request)
      case 'verbatim':
        return once(withAuthorization(request, as.value))
      case 'basic':
        return once(withAuthorization(request, basicAuthorization(as.account)))
      case 'bearer':
        return once(withAuthorization(request, `Bearer ${(await tokens.of(as.account)).value}`))
      case 'digest':
        return as.spoil ? digests.sendSpoiled(request, as.key, as.spoil) : digests.send(request, as.key)
    }
  }

  return {
    challenge,
    token: (account) => tokens.of(account),
    // A Digest response is valid only once, so it is recalculated for each attempt.
    send(request, as, behavior) {
      const forToken = request.path.split('?')[0] === tokenPath
      return (forToken ? retryTokenRequest : retryRequest)(() => attempt(request, as), behavior)
    },
    forget() {
      digests.clear()
      tokens.clear()
    },
    waits: () => waits,
  }
}
