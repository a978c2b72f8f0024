import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Body, lengthOf } from './body.ts'
import type { RequestContext } from './request-context.ts'
import type { Route } from './route-table.ts'
import { withinWorld } from './world-path.ts'

/** A request and the response to it, as they come from Node. */
export interface Call {
  readonly id: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly method: string
  /** The request target with the world in front, and without an authority, which may hold a password. */
  readonly target: string
  /** The path within the world, as it was sent. */
  readonly path: string
  /** What follows the first `?` of the target, as it was sent. */
  readonly search: string
  /** When it arrived, in milliseconds of `performance.now()`. */
  readonly startedAt: number
  /** The route that was found for it. */
  route: Route | undefined
  /** What is known of it, once its world has told the time. */
  context: RequestContext | undefined
  /** The code of the refusal, if it came to that. */
  errorCode: string | undefined
  /** True once log and metrics have been told of it. */
  observed: boolean
}

/** RFC 3986 §3.2: an authority ends with the path, the query or the fragment. */
const absoluteForm = /^https?:\/\/[^/?#]*/i

/** RFC 9112 §3.2.2: a target may name the whole address, of which path and query count. */
export function originForm(target: string): string {
  if (target.startsWith('/') || !absoluteForm.test(target)) return target
  const local = target.replace(absoluteForm, '')
  return local.startsWith('/') ? local : `/${local}`
}

/** Makes a call of what Node hands over; `worlds` if the target may name one. */
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

/** Sends a whole answer. Without a body of its own it says so by its length, if its status allows one. */
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
  // Corked, head and body go out in one system call.
  response.cork()
  response.write(body.before)
  response.write(body.page)
  response.end(body.after)
}
