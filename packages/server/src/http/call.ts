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
  /** The request target, including the world's prefix but without the authority, which may contain a password. */
  readonly target: string
  /** The path in the world, as the client sent it. */
  readonly path: string
  /** The query, which is the part of the target after the first `?`, as the client sent it. */
  readonly search: string
  /** Arrival time in milliseconds, from `performance.now()`. */
  readonly startedAt: number
  /** The route that matches the request. */
  route: Route | undefined
  /** Set once the world's clock has been read. */
  context: RequestContext | undefined
  /** The error code of a failed request. */
  errorCode: string | undefined
  /** True once the request has been logged and counted in the metrics. */
  observed: boolean
}

/** The authority ends where the path, the query or the fragment begins (RFC 3986 §3.2). */
const absoluteForm = /^https?:\/\/[^/?#]*/i

/** Returns a target's path and query if the target is in absolute form (RFC 9112 §3.2.2). */
export function originForm(target: string): string {
  if (target.startsWith('/') || !absoluteForm.test(target)) return target
  const local = target.replace(absoluteForm, '')
  return local.startsWith('/') ? local : `/${local}`
}

/** Creates a call. If `worlds` is set, the target can start with a world's prefix. */
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

/** Sends a response. For an empty body, sets `Content-Length: 0` if the status allows this header. */
export function sendResponse(
  { response, method }: Call,
  status: number,
  headers: Record<string, string>,
  body: Body | undefined,
): void {
  if (response.headersSent || response.destroyed) return
  if (body !== undefined) headers['content-length'] = String(lengthOf(body))
  // RFC 9110 §8.6.
  else if (status !== 204 && method !== 'HEAD') headers['content-length'] = '0'
  response.writeHead(status, headers)
  if (typeof body !== 'object') return void response.end(body)
  // Corking the response sends the headers and the body in a single system call.
  response.cork()
  response.write(body.before)
  response.write(body.page)
  response.end(body.after)
}
