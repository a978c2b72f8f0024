import { abortable } from '../deadline.ts'
import { type ApiRequest, drain, type Fetch, withHeaders } from '../fetch.ts'
import { createNonce } from './digest-hash.ts'
import {
  chooseChallenge,
  type DigestChallenge,
  type DigestSession,
  hashA1,
  respondToChallenge,
} from './digest-response.ts'

/** A programmatic API key. The public key is the user name, and the private key is the password. */
export interface DigestCredentials {
  readonly publicKey: string
  readonly privateKey: string
}

/** A server nonce that the client reuses until the server rejects it, so N calls need only N + 1 requests. */
interface UsedSession extends DigestSession {
  /**
   * Whether the server has already accepted the nonce. If so, a 401 means that the nonce expired, not that the password
   * is wrong.
   */
  accepted?: boolean
}

/**
 * Authenticates with Digest according to RFC 7616 or, for older servers, RFC 2617 and RFC 2069. The first call requests
 * a challenge. Calls that start in the meantime wait for the challenge.
 */
export function withDigest(next: Fetch, credentials: () => Promise<DigestCredentials>): Fetch {
  // The maximum number of retries with a new nonce. If a server sends even more challenges, further retries won't help.
  const maxNonces = 2
  let session: UsedSession | undefined
  let probing: Promise<void> | undefined

  /**
   * Creates a session from a challenge. If parallel calls receive several challenges, all calls use the nonce from the
   * first one.
   */
  async function renew(used: UsedSession | undefined, challenge: DigestChallenge): Promise<void> {
    const { publicKey, privateKey } = await credentials()
    const cnonce = createNonce()
    const ha1 = await hashA1(challenge, publicKey, privateKey, cnonce)
    if (session === used) session = { challenge, username: publicKey, ha1, cnonce, count: 0 }
  }

  /** Sends a request without credentials and creates a session from the challenge while other calls wait. */
  function probe(request: ApiRequest): Promise<Response> {
    const work = (async () => {
      const response = await next(request)
      const challenge = response.status === 401 && readChallenge(response)
      if (challenge) await renew(undefined, challenge)
      return response
    })()
    // Other calls stop waiting for the challenge when this request reaches its deadline.
    const bounded = abortable(work, request.signal)
    const done = (): void => {
      probing = undefined
    }
    probing = bounded.then(done, done)
    return bounded
  }

  return async (request) => {
    while (!session && probing) await probing
    request.signal.throwIfAborted()
    if (!session) {
      const response = await probe(request)
      if (response.status !== 401 || !session) return response
      await drain(response)
    }
    for (let nonces = 1; ; nonces++) {
      const used: UsedSession | undefined = session
      if (!used) return next(request)
      // The count is incremented before the first await so that parallel requests never share a count.
      used.count++
      const uri = request.url.replace(/^\w+:\/\/[^/?]*/, '')
      const authorization = await respondToChallenge(used, request.method, uri)
      const response = await next(withHeaders(request, { authorization }))
      if (response.status !== 401) {
        used.accepted = true
        // A server can send the next nonce with its response (RFC 7616 §3.5).
        const info = response.headers.get('authentication-info') ?? ''
        const nonce = /\bnextnonce\s*=\s*"([^"]+)/i.exec(info)?.[1]
        if (nonce && session === used) await renew(used, { ...used.challenge, nonce })
        return response
      }
      const challenge = readChallenge(response)
      const rejected = !challenge || (!challenge.stale && !used.accepted) || nonces > maxNonces
      if (rejected) {
        // The next call starts over and reads the credentials again because they may have changed.
        if (session === used) session = undefined
        return response
      }
      await drain(response)
      if (session === used) await renew(used, challenge)
    }
  }
}

function readChallenge(response: Response): DigestChallenge | undefined {
  return chooseChallenge(response.headers.get('www-authenticate') ?? '')
}
