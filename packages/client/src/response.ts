import type { RawOutcome } from './call.ts'
import { type ApiError, ParseError } from './errors.ts'
import type { CallContext } from './fetch.ts'
import type { OperationRow } from './operation-row.ts'
import { parseRetryAfter } from './retry-after.ts'
import { createApiError } from './status-errors.ts'
import type { BufferedResponse, TransportCall } from './transport-call.ts'

/**
 * Maps each error to the response that caused it. The errors themselves don't contain the response because its body may
 * repeat data from the request.
 */
const responses = new WeakMap<object, BufferedResponse>()

/** Returns the response that caused an error. */
export function errorResponse(error: ApiError): BufferedResponse | undefined {
  return responses.get(error)
}

/** Creates the error for a response with an error status. */
export function readError(context: CallContext, buffered: BufferedResponse, now: number): ApiError {
  const { response, text } = buffered
  const { status, headers, statusText, type } = response
  const fields: Record<string, unknown> = Object(unwrap(parseRecord(text)))
  const { parameters } = fields
  const error = createApiError(context, {
    status,
    // The token endpoint returns the code in `error` (RFC 6749 §5.2). In all other responses, `error` is the status.
    errorCode: readString(fields.errorCode, fields.error),
    // In browsers, only the response's `type` shows that a response is a redirect.
    reason: readString(fields.reason, statusText || (!status && type)),
    detail: readString(fields.detail, fields.error_description),
    parameters: Array.isArray(parameters) ? parameters.filter(isString) : undefined,
    requestId: readString(headers.get('x-request-id')),
    retryAfterMs: parseRetryAfter(headers, now),
  })
  responses.set(error, buffered)
  return error
}

/**
 * Reads a successful response's data, status and version.
 *
 * @throws ParseError if the body is missing, isn't JSON, doesn't match the operation's type, or has a different version
 *   than the one requested.
 */
export function readBody(
  { parseJson, row }: TransportCall,
  context: CallContext,
  buffered: BufferedResponse,
): RawOutcome {
  const { response, text, url } = buffered
  const fail = (problem: string): ParseError => new ParseError(context, response, problem)
  let data: unknown
  let version: string | undefined
  let { status } = response
  if (text || !row.bodiless) {
    const contentType = response.headers.get('content-type') ?? ''
    if (!text) throw fail('no body, expected JSON')
    if (!/[/+]json/i.test(contentType)) {
      // The message doesn't quote JSON bodies, because a body may be the resource itself and contain a secret.
      throw fail(`not JSON${/^\s*[[{"]/.test(text) ? '' : `: ${text.slice(0, 200)}`}`)
    }
    // For example, `application/vnd.svc.2024-05-30+json`.
    version = /\.([\d-]+)\+json/i.exec(contentType)?.[1]
    // If the response has a different version, the types are wrong.
    if (version && version !== context.version) throw fail(`expected version ${context.version}`)
    let body: unknown
    try {
      body = parseJson(text)
    } catch (error) {
      // The parser's message quotes the text, which may contain a secret.
      // A range error's message contains only a number.
      throw fail(error instanceof RangeError ? error.message : 'broken JSON')
    }
    status = readStatus(body) ?? status
    if (!row.bodiless) data = readData(row, body, fail)
  }
  return { data, status, version, response, text, url, context }
}

/** Returns the resource or list, which must match the operation's type. */
function readData({ paged, list }: OperationRow, body: unknown, fail: (problem: string) => Error): unknown {
  const data = unwrap(body)
  const inResults = paged || list === 'results'
  if (inResults && Array.isArray(data)) return body
  const checked = inResults ? Object(data).results : data
  // Only error bodies have a number in `error`.
  const isError = typeof Object(data).error === 'number'
  const type = isError ? 'error' : Array.isArray(checked) ? 'array' : `${checked && typeof checked}`
  const expected = inResults || list ? 'array' : 'object'
  if (type === expected) return data
  throw fail(`expected ${inResults ? 'results to be ' : ''}an ${expected}, but was ${type}`)
}

/** Returns the status in an envelope. The resource's own status can differ from the HTTP status. */
function readStatus(body: unknown): number | undefined {
  const { status } = Object(body)
  return typeof status === 'number' ? status : undefined
}

/**
 * Returns the resource inside an envelope so that `envelope=true` doesn't change the types. Only envelopes have a
 * numeric `status`. Paginated lists have the same type with and without an envelope.
 */
export function unwrap(body: unknown): unknown {
  const { content = body, links, results = content } = Object(body)
  return readStatus(body) && !links ? results : body
}

/** Parses a JSON object. Returns an empty object for other values. */
export function parseRecord(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Returns the first value that is a string. */
export function readString(...values: readonly unknown[]): string | undefined {
  return values.find(isString)
}

/**
 * Returns whether a value is a string. Converting other values isn't safe because, for example, `String({ toString: 1
 * })` throws.
 */
const isString = (value: unknown): value is string => typeof value === 'string'
