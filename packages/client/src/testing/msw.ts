import { createStubFetch, type Responder } from './stub-fetch.ts'

/** The part of MSW 2's `http` that the handlers use. This type avoids a dependency on MSW. */
export interface MswHttp<Handler> {
  all(path: string, resolver: (info: { readonly request: Request }) => Promise<Response>): Handler
}

/**
 * Returns handlers for Mock Service Worker that use a responder.
 *
 * @example
 * import { http } from 'msw'
 * import { setupServer } from 'msw/node'
 * const server = setupServer(...createMswHandlers(http, 'https://cloud.example.com', createHandlers()))
 */
export function createMswHandlers<Handler>(
  http: MswHttp<Handler>,
  baseUrl: string,
  respond: Responder,
): Handler[] {
  const { fetch } = createStubFetch(respond)
  const handler = http.all(`${baseUrl.replace(/\/+$/, '')}/*`, async ({ request }) => {
    const { url, method, headers, signal } = request
    const body = await request.text()
    // MSW represents a failed connection as an error response.
    return fetch(url, { method, headers, signal, ...(body && { body }) }).catch(() => Response.error())
  })
  return [handler]
}
