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
  /** The request target with the world's prefix, but without an authority, which may contain a password. */
  readonly target: string
  /** The path within the world, as sent. */
  readonly path: string
  /** The part of the target after the first `?`, as sent. */
  readonly search: string
  /** Arrival time, in milliseconds of `performance.now()`. */
  readonly startedAt: number
  /** The matching route. */
  route: Route | undefined
  /** Set once the world's clock has been read. */
  context: RequestContext | undefined
  /** The error code, if the request failed. */
  errorCode: string | undefined
  /** True once the request is in the log and the metrics. */
  observed: boolean
}

/** RFC 3986 §3.2: an authority ends at the path, the query or the fragment. */
const absoluteForm = /^https?:\/\/[^/?#]*/i

/** Returns the path and query of a target in absolute form (RFC 9112 §3.2.2). */
export function originForm(target: string): string {
  if (target.startsWith('/') || !absoluteForm.test(target)) return target
  const local = target.replace(absoluteForm, '')
  return local.startsWith('/') ? local : `/${local}`
}

/** Creates a call. With `worlds`, the target may contain the prefix of a world. */
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

/** Sends a response. Sets `Content-Length: 0` for an empty body if the status allows it. */
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
  // Corking sends headers and body in one system call.
  response.cork()
  response.write(body.before)
  response.write(body.page)
  response.end(body.after)
}
