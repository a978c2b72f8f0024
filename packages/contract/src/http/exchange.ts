/** One header line, as sent or received. */
export type Header = readonly [name: string, value: string]

/** A request as it is sent. The transport adds only `Host`, `Connection` and `Content-Length`. */
export interface RawRequest {
  readonly method: string
  /** The path and query, relative to the server's root. */
  readonly path: string
  readonly headers: readonly Header[]
  readonly body?: string | undefined
  /** The full body's length in characters, if the body was truncated. */
  readonly fullLength?: number
}

/** A response as it was received, but with a decoded body. */
export interface RawResponse {
  readonly status: number
  readonly reason: string
  readonly headers: readonly Header[]
  readonly body: string
  /** The full body's length in characters, if the body was truncated. */
  readonly fullLength?: number
}

/** A request with its response. */
export interface Exchange {
  readonly url: string
  readonly request: RawRequest
  readonly response: RawResponse
  readonly milliseconds: number
}

/** All values for a header. Header names are case-insensitive (RFC 9110 §5.1). */
export const headerValues = (headers: readonly Header[], name: string): string[] =>
  headers.filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => value)

/** Returns a header's value. If the header has several lines, they are joined with commas (RFC 9110 §5.3). */
export const headerValue = (headers: readonly Header[], name: string): string | undefined => {
  const values = headerValues(headers, name)
  return values.length === 0 ? undefined : values.join(', ')
}

/** Adds an `Authorization` header. */
export const withAuthorization = (request: RawRequest, value: string): RawRequest => ({
  ...request,
  headers: [...request.headers, ['Authorization', value]],
})

/** The maximum body length for passed checks, so that reports are small enough for a phone. */
export const maxShownBody = 1500

/** Copies the text, because a slice would keep the whole original string in memory. */
const beginningOf = (text: string): string => Buffer.from(text.slice(0, maxShownBody)).toString()

const cut = <M extends { readonly body?: string | undefined }>(message: M): M =>
  message.body === undefined || message.body.length <= maxShownBody
    ? message
    : { ...message, body: beginningOf(message.body), fullLength: message.body.length }

/** A copy of the exchange with shortened bodies. */
export const abbreviated = (exchange: Exchange): Exchange => ({
  ...exchange,
  request: cut(exchange.request),
  response: cut(exchange.response),
})
