import type { PlatformFetch } from '../fetch.ts'

/** One request as it would have gone over the wire. */
export interface StubRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: string | undefined
  readonly signal: AbortSignal | undefined
  /** Which request of the stub it is, from 1. */
  readonly number: number
}

/** Answers a request; throwing, or answering with an error, is a connection that failed. */
export type Responder = (request: StubRequest) => Response | Error | Promise<Response | Error>

export interface StubFetch {
  readonly fetch: PlatformFetch
  /** Every request so far. */
  readonly requests: readonly StubRequest[]
}

/**
 * A `fetch` that answers without a network and keeps what was asked.
 *
 * @example
 * const { fetch, requests } = createStubFetch(() => Response.json({ results: [] }))
 */
export function createStubFetch(respond: Responder): StubFetch {
  const requests: StubRequest[] = []
  return {
    requests,
    async fetch(url, init) {
      const request: StubRequest = {
        method: init.method ?? 'GET',
        url: new URL(url),
        headers: new Headers(init.headers),
        body: typeof init.body === 'string' ? init.body : undefined,
        signal: init.signal ?? undefined,
        number: requests.length + 1,
      }
      requests.push(request)
      const answer = await respond(request)
      if (answer instanceof Error) throw answer
      return answer
    },
  }
}
