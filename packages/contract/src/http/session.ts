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
  /** Requests without credentials, which should return a Digest challenge. */
  readonly unauthenticatedProbes: UnauthenticatedProbes
  /** The path of the token endpoint, relative to the server's root. */
  readonly tokenPath: string
  /** Waits for a number of seconds. */
  readonly wait: (seconds: number) => Promise<void>
  /** Advances the target's clock. This function is omitted if the kit can't advance the clock. */
  readonly moveClock?: ((seconds: number) => Promise<void>) | undefined
  /** Returns the current time in milliseconds since the UNIX epoch. */
  readonly now: () => number
  /**
   * Returns the target's time in milliseconds, counted from an arbitrary starting point. By default, `now` provides
   * this time.
   */
  readonly targetNow?: () => number
  /** Tokens by client ID. Sessions share tokens, because token requests are limited per client ID. */
  readonly tokens?: Map<string, Promise<Token>>
}

/** Options for responses that ask for a retry, such as a 429. */
export type SendOptions = RetryBehavior

/** Sends requests with credentials. */
export interface HttpSession {
  send(request: RawRequest, authorization: Authorization, options?: SendOptions): Promise<Exchange>
  challenge(): Promise<Challenge>
  /** Returns the account's access token. All of the account's requests share one token. */
  token(account: ServiceAccount): Promise<Token>
  /** Discards nonces and tokens, for example after the target's clock was moved. */
  forget(): void
  /** Returns how many times the target has asked the kit to wait. */
  waits(): number
}

export const createHttpSession = (options: HttpSessionOptions): HttpSession => {
  const { transport, secrets, pace, tokenPath, unauthenticatedProbes, moveClock } = options
  let waits = 0
  const counting = (pass: (seconds: number) => Promise<void>) => (seconds: number) => {
    waits += 1
    return pass(seconds)
  }
  const retry = (onLimit?: (seconds: number) => void): Retry =>
    createRetry({
      now: options.now,
      onLimit,
      wait: counting(options.wait),
      moveClock: moveClock && counting(moveClock),
    })
  // The token endpoint and the API have separate limits, and the API's limit may come from a gateway.
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
    send: sendForToken,
    path: tokenPath,
    secrets,
    known: options.tokens,
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
    // Sign the request again for each attempt, because a Digest response is valid only once.
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
