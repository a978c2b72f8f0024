import { type Authorization, basicAuthorization, type ServiceAccount } from './authorization.ts'
import { type Challenge, digestChallengeOf, isMd5 } from './challenge.ts'
import { createDigests } from './digests.ts'
import type { Doors } from './doors.ts'
import { type Exchange, type RawRequest, withAuthorization } from './exchange.ts'
import { NoCredentials } from './no-credentials.ts'
import type { Pace } from './pace.ts'
import { createPatience, type Patience, type PatienceAsked } from './patience.ts'
import type { Secrets } from './secrets.ts'
import { createTokens, type Token } from './tokens.ts'
import type { Transport } from './transport.ts'

export interface SessionOptions {
  readonly transport: Transport
  readonly secrets: Secrets
  readonly pace: Pace
  /** Requests that are answered with a Digest challenge when they carry no credentials. */
  readonly doors: Doors
  /** Path of the token endpoint, from the root of the server. */
  readonly tokenPath: string
  /** Lets time pass. */
  readonly wait: (seconds: number) => Promise<void>
  /** Moves the target's clock on, where that can be done. */
  readonly moveClock?: ((seconds: number) => Promise<void>) | undefined
  /** Milliseconds since the UNIX epoch. */
  readonly now: () => number
  /** The target's time as far as it is known, in milliseconds since any moment; without it, that of `now`. */
  readonly targetNow?: () => number
  /** Tokens by client id, where several sessions share them: a client id may ask for few. */
  readonly tokens?: Map<string, Promise<Token>>
}

/** How an answer that asks for patience is met, such as a 429. */
export type SendOptions = PatienceAsked

/** Sends requests on behalf of credentials. */
export interface Session {
  send(request: RawRequest, authorization: Authorization, options?: SendOptions): Promise<Exchange>
  /** A challenge that no request has answered yet. */
  challenge(): Promise<Challenge>
  /** An access token, the same for every request of an account. */
  token(account: ServiceAccount): Promise<Token>
  /** Forgets nonces and tokens, as after a jump of the target's clock. */
  forget(): void
  /** How often the target has asked to be asked later, and time was let pass for that. */
  waits(): number
}

/** Creates a session over a transport. */
export const createSession = (options: SessionOptions): Session => {
  const { transport, secrets, pace, tokenPath, doors, moveClock } = options
  let waits = 0
  const counting = (pass: (seconds: number) => Promise<void>) => (seconds: number) => {
    waits += 1
    return pass(seconds)
  }
  const patience = (onLimit?: (seconds: number) => void): Patience =>
    createPatience({
      ...{ now: options.now, onLimit },
      wait: counting(options.wait),
      moveClock: moveClock && counting(moveClock),
    })
  // The limit of the token endpoint is another than that of the API, which may stand before the target.
  const [patiently, patientlyForToken] = [patience(pace.slower), patience()]
  const once = async (request: RawRequest, anew?: () => RawRequest): Promise<Exchange> => {
    await pace.turn()
    return transport.send(request, anew)
  }
  const challenge = async (): Promise<Challenge> => {
    const { request, response } = await doors.knock((door) => patiently(() => once(door)))
    const found = digestChallengeOf(response.headers)
    if (found?.parameters.nonce === undefined)
      throw new NoCredentials(
        `a Digest challenge (${request.method} ${transport.baseUrl}${request.path} without credentials got ${response.status})`,
      )
    if (!isMd5(found))
      throw new NoCredentials(`a Digest challenge with MD5, and not with ${found.parameters.algorithm} alone`)
    return found
  }
  const ask = (request: RawRequest): Promise<Exchange> => patientlyForToken(() => once(request))
  const tokens = createTokens({
    ...{ ask, path: tokenPath, secrets, known: options.tokens },
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
    // A Digest answer holds once, so that each attempt computes its own.
    send(request, as, asked) {
      const forToken = request.path.split('?')[0] === tokenPath
      return (forToken ? patientlyForToken : patiently)(() => attempt(request, as), asked)
    },
    forget() {
      digests.clear()
      tokens.clear()
    },
    waits: () => waits,
  }
}
