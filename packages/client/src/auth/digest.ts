import { abortable } from '../deadline.ts'
import { type ApiRequest, drain, type Fetch, withHeaders } from '../fetch.ts'
import { parseChallenges } from './challenge.ts'
import { createNonce } from './digest-hash.ts'
import { chooseChallenge, type DigestChallenge, hashA1, respondToChallenge } from './digest-response.ts'

/** A programmatic API key: the public half is the user name, the private half the password. */
export interface DigestCredentials {
  readonly publicKey: string
  readonly privateKey: string
}

/** A nonce in use. It is reused until the server says otherwise, so that N calls take N + 1 requests. */
interface Session {
  readonly challenge: DigestChallenge
  readonly username: string
  readonly ha1: Promise<string>
  /** One per nonce: `-sess` needs it constant, and the count makes each request unique all the same. */
  readonly cnonce: string
  count: number
  /** Whether the server took it once; a refusal afterwards is the nonce's fault and not the password's. */
  accepted?: boolean
}

/**
 * Answers Digest challenges: RFC 7616, and RFC 2617 and 2069 for older servers. The first call asks for the
 * challenge; calls that start meanwhile wait for it instead of asking too.
 */
export function withDigest(next: Fetch, credentials: () => Promise<DigestCredentials>): Fetch {
  /** Fresh nonces that one request may be sent again with; more than that is a server that only challenges. */
  const mostNonces = 2
  let session: Session | undefined
  let probing: Promise<void> | undefined

  async function open(challenge: DigestChallenge): Promise<Session> {
    const { publicKey, privateKey } = await credentials()
    const cnonce = createNonce()
    const ha1 = hashA1(challenge, publicKey, privateKey, cnonce)
    return { challenge, username: publicKey, ha1, cnonce, count: 0 }
  }

  /** Sends without credentials while everybody else waits, and opens a session from the refusal. */
  function probe(request: ApiRequest): Promise<Response> {
    const work = (async () => {
      const response = await next(request)
      if (response.status === 401) {
        const challenge = readChallenge(response)
        if (challenge) session = await open(challenge)
      }
      return response
    })()
    // The deadline of the request bounds the wait of the others too.
    const bounded = abortable(work, request.signal)
    const done = (): void => {
      probing = undefined
    }
    probing = bounded.then(done, done)
    return bounded
  }

  async function renew(used: Session, challenge: DigestChallenge): Promise<void> {
    const fresh = await open(challenge)
    // Of parallel refusals the first one decides; the others go on with its nonce.
    if (session === used) session = fresh
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
      const used: Session | undefined = session
      if (!used) return next(request)
      const response = await next(await sign(request, used))
      if (response.status !== 401) {
        used.accepted = true
        const nonce = readNextNonce(response)
        if (nonce && session === used) await renew(used, { ...used.challenge, nonce })
        return response
      }
      const challenge = readChallenge(response)
      const hopeless = !challenge || (!challenge.stale && !used.accepted) || nonces > mostNonces
      if (hopeless) {
        // The next call starts anew, and asks for the credentials again: they may have been replaced.
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

async function sign(request: ApiRequest, session: Session): Promise<ApiRequest> {
  // Taken before anything is awaited, so that parallel requests never share a count.
  session.count++
  const uri = request.url.replace(/^\w+:\/\/[^/?]*/, '')
  return withHeaders(request, {
    authorization: await respondToChallenge({ ...session, method: request.method, uri }),
  })
}

/** `nextnonce` of `Authentication-Info`: RFC 7616 §3.5. */
function readNextNonce(response: Response): string | undefined {
  const header = response.headers.get('authentication-info') ?? ''
  return parseChallenges(`digest ${header}`)[0]?.parameters.nextnonce
}
