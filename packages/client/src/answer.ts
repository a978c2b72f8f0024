import type { RawOutcome } from './call.ts'
import { type ApiError, ParseError } from './errors.ts'
import type { CallContext } from './fetch.ts'
import { parseRetryAfter } from './retry-after.ts'
import { createApiError } from './status-errors.ts'
import type { TransportCall } from './transport.ts'
import { checkVersion } from './version.ts'

/** A response with its body, which has been read to the end. */
export interface ReceivedResponse {
  readonly response: Response
  readonly text: string
  /** Where it was asked for, with the query. */
  readonly url: string
}

/** The answers behind errors, kept beside them and not in them: a body may quote what was sent. */
const responses = new WeakMap<object, ReceivedResponse>()

/** The answer behind an error that came from the server. */
export function errorResponse(error: ApiError): ReceivedResponse | undefined {
  return responses.get(error)
}

/** Makes the error of an answer whose status says that there is one. */
export function readError(context: CallContext, answer: ReceivedResponse, now: number): ApiError {
  const { response, text } = answer
  const { status, headers, statusText, type } = response
  // Redirects are not followed: who was sent elsewhere has to know where. Before and after that is what may sign in.
  const target = headers.get('location')?.replace(/[?#].*|[^/]*@/g, '')
  const fields: Record<string, unknown> = Object(unwrap(parseRecord(text)))
  const { parameters } = fields
  const error = createApiError(context, {
    status,
    // The token endpoint has names of its own: RFC 6749 §5.2. In the others `error` is the status.
    errorCode: readString(fields.errorCode, fields.error),
    // A browser tells of a redirect by the type alone.
    reason: readString(fields.reason, statusText || (status ? undefined : type)),
    detail: readString(fields.detail, fields.error_description, target),
    parameters: Array.isArray(parameters) ? parameters.filter(isString) : undefined,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: parseRetryAfter(headers, now),
  })
  responses.set(error, answer)
  return error
}

/**
 * A success with its body, its status and the version that it has.
 *
 * @throws ParseError when the body is not JSON, of another version than was asked for, or not there.
 */
export function readBody({ context, parseJson, row }: TransportCall, answer: ReceivedResponse): RawOutcome {
  const { response, text, url } = answer
  let data: unknown
  let version: string | undefined
  let { status } = response
  if (text || !row.bodiless) {
    const contentType = response.headers.get('content-type') ?? ''
    if (!/[/+]json/i.test(contentType)) {
      // What looks like JSON under a wrong name may be the resource, with a secret in it.
      throw new ParseError(context, response, `not JSON: ${/^\s*[[{"]/.test(text) ? '' : text.slice(0, 200)}`)
    }
    version = checkVersion(context, response, contentType)
    try {
      const body = parseJson(text)
      data = row.bodiless ? undefined : unwrap(body)
      status = readStatus(body) ?? status
    } catch (error) {
      // The parser quotes the text, which may be half a secret; a range error only names a number.
      const problem = error instanceof RangeError ? error.message : 'broken JSON'
      throw new ParseError(context, response, problem)
    }
  }
  return { data, status, version, response, text, url, attempts: context.attempts }
}

/** The status in an envelope: of the resource, also where the envelope made another one of it. */
function readStatus(body: unknown): number | undefined {
  const { status } = Object(body)
  return typeof status === 'number' ? status : undefined
}

/**
 * The resource inside of an envelope, so that `envelope=true` changes no type. Only envelopes have a number
 * for `status`; a list of pages is its own envelope.
 */
export function unwrap(body: unknown): unknown {
  const { content = body, links, results = content } = Object(body)
  return readStatus(body) && !links ? results : body
}

/** The object that a text is; one without members that we know where it is none. */
export function parseRecord(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** The first of these values that is a text. */
export function readString(...values: readonly unknown[]): string | undefined {
  return values.find(isString)
}

/** Not every other value can be made one, as `{ "toString": 1 }`. */
const isString = (value: unknown): value is string => typeof value === 'string'
