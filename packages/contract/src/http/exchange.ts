/** One header line, as sent or received. */
export type Header = readonly [name: string, value: string]

/** A request as it goes out: nothing is added to it but `Host`, `Connection` and `Content-Length`. */
export interface RawRequest {
  readonly method: string
  /** Path and query, from the root of the server. */
  readonly path: string
  readonly headers: readonly Header[]
  readonly body?: string | undefined
  /** Characters of the whole body, where only its beginning is kept. */
  readonly fullLength?: number
}

/** An answer as it came in, but for the codings of its body. */
export interface RawResponse {
  readonly status: number
  readonly reason: string
  readonly headers: readonly Header[]
  readonly body: string
  /** Characters of the whole body, where only its beginning is kept. */
  readonly fullLength?: number
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

/** As much of a body as is shown of what holds no news: a report shall open on a phone. */
export const maxShownBody = 1500

/** A copy of the beginning: a slice would keep the whole alive. */
const beginningOf = (text: string): string => Buffer.from(text.slice(0, maxShownBody)).toString()

const cut = <M extends { readonly body?: string | undefined }>(message: M): M =>
  message.body === undefined || message.body.length <= maxShownBody
    ? message
    : { ...message, body: beginningOf(message.body), fullLength: message.body.length }

/** The exchange with no more of its bodies than is shown. */
export const abbreviated = (exchange: Exchange): Exchange => ({
  ...exchange,
  request: cut(exchange.request),
  response: cut(exchange.response),
})
