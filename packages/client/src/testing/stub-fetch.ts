/** A request as it would be sent over the network. */
export interface StubRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: string | undefined
  readonly signal: AbortSignal | undefined
  /** The request number, starting at 1. */
  readonly number: number
}

/** Returns the response to a request. Throw or return an error to simulate a failed connection. */
export type Responder = (request: StubRequest) => Response | Error | Promise<Response | Error>

/** A stub, and the requests that it has received. */
export interface StubFetch {
  /** Accepts the same arguments as the platform's `fetch`. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** All requests so far. */
  readonly requests: readonly StubRequest[]
}

/**
 * Creates a `fetch` that returns responses without a network and records the requests.
 *
 * @example
 * const { fetch, requests } = createStubFetch(() => Response.json({ results: [] }))
 */
export function createStubFetch(respond: Responder): StubFetch {
  const requests: StubRequest[] = []
  return {
    requests,
    async fetch(input, init = {}) {
      const original = input instanceof Request ? input : undefined
      const content = init.body ?? original?.clone().body
      // String bodies are read without `await` so that requests are recorded in the order of the calls.
      const body = content && typeof content !== 'string' ? await new Response(content).text() : content
      const request: StubRequest = {
        method: init.method ?? original?.method ?? 'GET',
        url: new URL(original?.url ?? String(input)),
        headers: new Headers(init.headers ?? original?.headers),
        body: body ?? undefined,
        signal: init.signal ?? original?.signal,
        number: requests.length + 1,
      }
      requests.push(request)
      const response = await respond(request)
      if (response instanceof Error) throw response
      return response
    },
  }
}
