import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Body, lengthOf } from './body.ts'
import type { RequestContext } from './request-context.ts'
import type { Route } from './route-table.ts'
import { withinWorld } from './world-path.ts'

/** A request and its response, as Node provides them. */
export interface Call {
  readonly id: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly method: string
  /**
   * The request target, including the world's prefix. The target excludes the authority, which may contain a password.
   */
  readonly target: string
  /** The path within the world, exactly as sent by the client. */
  readonly path: string
  /** The query exactly as sent by the client, which is the part of the target after the first `?`. */
  readonly search: string
  /** The arrival time of the request, as returned by `performance.now()`. */
  readonly startedAt: number
  route: Route | undefined
  /** The request context, or undefined if the world's clock hasn't been read yet. */
  context: RequestContext | undefined
  /** The error code if the request failed. */
  errorCode: string | undefined
  /** Whether the request has been logged and counted in the metrics. */
  observed: boolean
}

/**
 * The scheme and authority of a target. The authority ends where the path, query or fragment starts (RFC 3986 §3.2).
 */
const absoluteForm = /^https?:\/\/[^/?#]*/i

/**
 * Returns the path and query of a target. If the target is in absolute form (RFC 9112 §3.2.2), removes the scheme and
 * authority.
 */
export function originForm(target: string): string {
  if (target.startsWith('/') || !absoluteForm.test(target)) return target
  const local = target.replace(absoluteForm, '')
  return local.startsWith('/') ? local : `/${local}`
}

/** Creates a call. If `worlds` is true, the target can start with the prefix of a world. */
export function createCall(
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
  worlds: boolean,
): Call {
  const { url = '/', method = '' } = request
  const target = originForm(url)
  const local = worlds ? withinWorld(target) : target
  const at = local.indexOf('?')
  return {
    id,
    request,
    response,
    method,
    target,
    path: at === -1 ? local : local.slice(0, at),
    search: at === -1 ? '' : local.slice(at + 1),
    startedAt: performance.now(),
    route: undefined,
    context: undefined,
    errorCode: undefined,
    observed: false,
  }
}

/**
 * Sends a response. If the body is empty, also sets `Content-Length: 0`, unless the status code forbids this header.
 */
export function sendResponse(
  { response, method }: Call,
  status: number,
  headers: Record<string, string>,
  body: Body | undefined,
): void {
  if (response.headersSent || response.destroyed) return
  if (body !== undefined) headers['content-length'] = String(lengthOf(body))
  // Responses with status 204 must not contain `Content-Length` (RFC 9110 §8.6).
  else if (status !== 204 && method !== 'HEAD') headers['content-length'] = '0'
  response.writeHead(status, headers)
  if (typeof body !== 'object') return void response.end(body)
  // Corking sends the headers and the body in a single system call.
  response.cork()
  response.write(body.before)
  response.write(body.page)
  response.end(body.after)
}
