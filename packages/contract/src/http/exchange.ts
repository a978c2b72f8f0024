/** One header line, as sent or received. */
export type Header = readonly [name: string, value: string]

/** A request as it goes out: nothing is added to it but `Host`, `Connection` and `Content-Length`. */
export interface RawRequest {
  readonly method: string
  /** Path and query, from the root of the server. */
  readonly path: string
  readonly headers: readonly Header[]
  readonly body?: string | undefined
}

/** An answer as it came in. */
export interface RawResponse {
  readonly status: number
  readonly reason: string
  readonly headers: readonly Header[]
  readonly body: string
}

/** A request with its answer. */
export interface Exchange {
  readonly url: string
  readonly request: RawRequest
  readonly response: RawResponse
  readonly milliseconds: number
}

/** Every value of a header, whatever the case of its name (RFC 9110 §5.1). */
export const headerValues = (headers: readonly Header[], name: string): string[] =>
  headers.filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => value)

/** The value of a header; several lines are joined by commas (RFC 9110 §5.3). */
export const headerValue = (headers: readonly Header[], name: string): string | undefined => {
  const values = headerValues(headers, name)
  return values.length === 0 ? undefined : values.join(', ')
}

/** The request with an `Authorization` header. */
export const withAuthorization = (request: RawRequest, value: string): RawRequest => ({
  ...request,
  headers: [...request.headers, ['Authorization', value]],
})
