/** A header line as it was sent or received. */
export type Header = readonly [name: string, value: string]

/** A request exactly as it is sent. The transport adds only the `Host`, `Connection` and `Content-Length` headers. */
export interface RawRequest {
  readonly method: string
  /** The path and the query, relative to the server's root. */
  readonly path: string
  readonly headers: readonly Header[]
  readonly body?: string | undefined
  /** The length of the complete body in characters, if the body was truncated. */
  readonly fullLength?: number
}

/** A response as it was received, except that its body is decoded. */
export interface RawResponse {
  readonly status: number
  readonly reason: string
  readonly headers: readonly Header[]
  readonly body: string
  /** The length of the complete body in characters, if the body was truncated. */
  readonly fullLength?: number
}

/** A request with its response. */
export interface Exchange {
  readonly url: string
  readonly request: RawRequest
  readonly response: RawResponse
  readonly milliseconds: number
}

/** Returns all values of a header. The case of header names doesn't matter (RFC 9110 §5.1). */
export const headerValues = (headers: readonly Header[], name: string): string[] =>
  headers.filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => value)

/** Returns the value of a header. If there are several lines, joins their values with commas (RFC 9110 §5.3). */
export const headerValue = (headers: readonly Header[], name: string): string | undefined => {
  const values = headerValues(headers, name)
  return values.length === 0 ? undefined : values.join(', ')
}

export const withAuthorization = (request: RawRequest, value: string): RawRequest => ({
  ...request,
  headers: [...request.headers, ['Authorization', value]],
})

/**
 * The maximum length of a body in the report of a passed check. Longer bodies would make reports too large to open on a
 * phone.
 */
export const maxShownBody = 1500

/** Copies the string, because a slice would keep the whole original string in memory. */
const beginningOf = (text: string): string => Buffer.from(text.slice(0, maxShownBody)).toString()

const cut = <M extends { readonly body?: string | undefined }>(message: M): M =>
  message.body === undefined || message.body.length <= maxShownBody
    ? message
    : { ...message, body: beginningOf(message.body), fullLength: message.body.length }

/** Returns a copy of the exchange with truncated bodies. */
export const abbreviated = (exchange: Exchange): Exchange => ({
  ...exchange,
  request: cut(exchange.request),
  response: cut(exchange.response),
})
