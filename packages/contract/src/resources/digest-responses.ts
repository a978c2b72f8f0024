import type { Trial } from '../check/trial.ts'
import type { ApiKey, Authorization } from '../http/authorization.ts'
import { digestChallengeOf } from '../http/challenge.ts'
import type { DigestInput } from '../http/digest.ts'
import type { Exchange } from '../http/exchange.ts'
import { allowedHolder, authorizationOf, rolesFor } from '../run-context/holders.ts'

/** Returns the API key of a caller who can call the operation. */
export const keyOf = ({ cell, context }: Trial): ApiKey => {
  const as = authorizationOf(allowedHolder(context.target, cell), 'digest', rolesFor(cell))
  if (as.kind !== 'digest') throw new TypeError('an API key authenticates by Digest')
  return as.key
}

/** Changes the last character of a secret or a nonce. */
export const otherEnd = (text: string): string =>
  text.endsWith('0') ? `${text.slice(0, -1)}1` : `${text.slice(0, -1)}0`

/** Returns the `stale` flag of a response's Digest challenge in lower case. */
export const staleOf = ({ response }: Exchange): string | undefined =>
  digestChallengeOf(response.headers)?.parameters.stale?.toLowerCase()

/** Credentials that respond to one challenge. */
interface DigestResponses {
  /**
   * Uses the next nonce count. If a response is lost and the request is sent again, the count increases again.
   *
   * @param spoil Makes the credentials wrong.
   */
  next(spoil?: (input: DigestInput) => DigestInput): Authorization
  /** Uses the latest nonce count again. */
  repeated(): Authorization
}

/** Requests a challenge, and responds to it several times. */
export const respondToChallenge = async (trial: Trial): Promise<DigestResponses> => {
  const { parameters } = await trial.context.session.challenge()
  const { nonce = '', opaque } = parameters
  const key = keyOf(trial)
  let latest = 0
  const withCount = (
    countOf: () => number,
    spoil: (input: DigestInput) => DigestInput = (input) => input,
  ): Authorization => ({
    kind: 'digest',
    key,
    spoil: (input) => spoil({ ...input, nonce, opaque, count: countOf() }),
  })
  return {
    next: (spoil) =>
      withCount(() => {
        latest += 1
        return latest
      }, spoil),
    repeated: () => withCount(() => latest),
  }
}
