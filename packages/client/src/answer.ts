import { type ApiError, ParseError } from './errors.ts'
import type { CallContext } from './fetch.ts'
import type { ParseJson } from './json.ts'
import { parseRetryAfter } from './retry-after.ts'
import { createApiError } from './status-errors.ts'
import { checkVersion } from './version.ts'

/** A response with its body, which has been read to the end. */
export interface Answer {
  readonly response: Response
  readonly text: string
  /** Where it was asked for, with the query. */
  readonly url: string
}

/** The body of error answers, kept beside the error and not in it: it may quote what was sent. */
const bodies = new WeakMap<object, { readonly body: unknown; readonly response: Response }>()

/** The body and the response of an error that came from the server. */
export function errorAnswer(
  error: ApiError,
): { readonly body: unknown; readonly response: Response } | undefined {
  return bodies.get(error)
}

/** Makes the error of an answer whose status says that there is one. */
export function readError(context: CallContext, answer: Answer, now: number): ApiError {
  const { response, text } = answer
  const { status, headers, statusText } = response
  const body = unwrap(parseOrUndefined(text))
  const members = isRecord(body) ? body : {}
  const { parameters } = members
  const error = createApiError(context, {
    status,
    // The token endpoint has names of its own: RFC 6749 §5.2. In the others `error` is the status.
    errorCode: string(members.errorCode) ?? string(members.error),
    reason: string(members.reason) ?? (statusText || undefined),
    detail: string(members.detail) ?? string(members.error_description),
    parameters: Array.isArray(parameters) ? parameters.map(String) : undefined,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: parseRetryAfter(headers, now),
  })
  bodies.set(error, { body: body ?? (text || undefined), response })
  return error
}

/**
 * The body of a success, and the version that it has.
 *
 * @throws ParseError when the body is not JSON, or of another version than was asked for.
 */
export function readBody(
  context: CallContext,
  { response, text }: Answer,
  parseJson: ParseJson,
): { readonly data: unknown; readonly version: string | undefined } {
  if (!text) return { data: undefined, version: undefined }
  const contentType = response.headers.get('content-type') ?? ''
  if (!/[/+]json/.test(contentType)) {
    throw new ParseError(context, response, `not JSON: ${text.slice(0, 200)}`)
  }
  const version = checkVersion(context, response, contentType)
  try {
    return { data: unwrap(parseJson(text)), version }
  } catch (error) {
    // The parser quotes the text, which may be half a secret; a range error only names a number.
    const problem = error instanceof RangeError ? error.message : `broken JSON of ${text.length} characters`
    throw new ParseError(context, response, problem)
  }
}

/**
 * The resource inside of an envelope, so that `envelope=true` changes no type. Only envelopes have a number
 * for `status`; a list of pages is its own envelope.
 */
function unwrap(body: unknown): unknown {
  if (!isRecord(body) || typeof body.status !== 'number') return body
  if ('content' in body) return body.status === 204 || body.status === 202 ? undefined : body.content
  return 'links' in body ? body : body.results
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
