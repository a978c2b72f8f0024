import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'

/**
 * The response format that the caller requested. Invalid values are rejected later, with an error in the default
 * format.
 */
export interface Format {
  readonly envelope: boolean
  readonly pretty: boolean
}

export const formatOf = (query: URLSearchParams): Format => ({
  envelope: query.get('envelope') === 'true',
  pretty: query.get('pretty') === 'true',
})

export interface Response {
  readonly status: number
  readonly mediaType: string
  /** If absent, the response has no body. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const isPage = (body: unknown): body is object =>
  typeof body === 'object' && body !== null && 'results' in body && 'links' in body

const wrapped = (status: number, body: unknown): object => {
  if (Array.isArray(body)) return { status, results: body }
  return isPage(body) ? { status, ...body } : { status, content: body ?? {} }
}

export const send = (
  response: ServerResponse,
  { status, mediaType, body, headers }: Response,
  format: Format,
) => {
  const content = format.envelope ? wrapped(status, body) : body
  response.statusCode = content !== undefined && status === 204 ? 200 : status
  response.setHeader('X-Request-Id', randomUUID())
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value)
  if (content === undefined) {
    response.end()
    return
  }
  const text = format.pretty ? `${JSON.stringify(content, undefined, 2)}\n` : JSON.stringify(content)
  response.setHeader('Content-Type', mediaType)
  response.setHeader('Content-Length', Buffer.byteLength(text))
  response.end(text)
}
