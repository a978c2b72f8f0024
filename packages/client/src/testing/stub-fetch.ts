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
  /** Takes what the platform's own takes, so that it can stand in its place. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
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
    async fetch(input, init = {}) {
      const given = input instanceof Request ? input : undefined
      const content = init.body ?? given?.clone().body
      // A text needs no wait, so that the requests of a client stand in the order of its calls.
      const body = content && typeof content !== 'string' ? await new Response(content).text() : content
      const request: StubRequest = {
        method: init.method ?? given?.method ?? 'GET',
        url: new URL(given?.url ?? String(input)),
        headers: new Headers(init.headers ?? given?.headers),
        body: body ?? undefined,
        signal: init.signal ?? given?.signal,
        number: requests.length + 1,
      }
      requests.push(request)
      const response = await respond(request)
      if (response instanceof Error) throw response
      return response
    },
  }
}
