/** What is known of the call that a request belongs to; the same object for all attempts. */
export interface CallContext {
  readonly operationId: string
  readonly method: string
  /** The path template, never the path with values in it: it is safe to log and to group by. */
  readonly path: string
  /** The resource version that the operation resolves to, for example `2024-05-30`. */
  readonly version: string
  /** Requests sent for this call so far, counted by the retry loop. */
  attempts: number
}

/**
 * One request. Deliberately not the platform's `Request`: that costs a third of a small call, and a body
 * that has been read cannot be sent again.
 */
export interface ApiRequest {
  readonly method: string
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly signal: AbortSignal
  readonly context: CallContext
}

/** The one type that everything which may send again decorates: middleware, authentication. */
export type Fetch = (request: ApiRequest) => Promise<Response>

/**
 * Runs inside the retry loop, once per attempt, outside of authentication: it never sees a secret. It may
 * answer by itself, change the request, or call `next` more than once.
 */
export type Middleware = (request: ApiRequest, next: Fetch) => Promise<Response>

/** The platform's `fetch`, or one with a proxy, a client certificate or a stub behind it. */
export type PlatformFetch = (url: string, init: RequestInit) => Promise<Response>

/** Puts middleware around a `Fetch`, the first one outermost. */
export function compose(middleware: readonly Middleware[], last: Fetch): Fetch {
  return middleware.reduceRight<Fetch>((next, each) => (request) => each(request, next), last)
}

/**
 * The same request with other headers on top.
 *
 * @example
 * const tagged: Middleware = (request, next) => next(withHeaders(request, { 'x-team': 'orders' }))
 */
export function withHeaders(request: ApiRequest, headers: Record<string, string>): ApiRequest {
  return { ...request, headers: mergeHeaders({}, [request.headers, headers]) }
}

/** Adds headers under names in lower case; a loop, because to spread objects of any shape is ten times as dear. */
export function mergeHeaders(
  into: Record<string, string>,
  sets: readonly (Readonly<Record<string, string>> | undefined)[],
): Record<string, string> {
  for (const set of sets) {
    for (const name in set) if (set[name] !== undefined) into[name.toLowerCase()] = set[name]
  }
  return into
}

/** Reads an answer that nobody needs to its end, which gives the connection back to the pool. */
export async function drain(response: Response): Promise<void> {
  await response.text().catch(() => undefined)
}
