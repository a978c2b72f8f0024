import { TokenProblem } from '../domain/token-problem.ts'
import { sendTruncated } from './apply-fault.ts'
import { type Body, textOf } from './body.ts'
import { type Call, sendResponse } from './call.ts'
import type { HelpUrl } from './help-url.ts'
import type { Log } from './log.ts'
import type { OutageLog } from './outage-log.ts'
import { isUnexpected } from './pipeline.ts'
import { type RenderedProblem, renderProblem, toProblem } from './problem-body.ts'
import { defaultFormat } from './query-string.ts'
import { ClientGone } from './read-body.ts'

export interface SenderDependencies {
  readonly log: Log
  readonly outages: OutageLog
  /** Receives each API response. Tests use this function to validate responses against the OpenAPI documents. */
  readonly inspect?: (response: SentResponse) => void
}

/** A response as sent to the client. */
export interface SentResponse {
  readonly method: string
  readonly target: string
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Information about the listening server. */
export interface ListenerState {
  port(): number | undefined
  /** Whether the server is shutting down and therefore closes each connection after the response. */
  stopping(): boolean
}

/** Renders an error in the format of the API or the token endpoint. */
type RenderError = (error: unknown) => RenderedProblem

type Send = (call: Call, status: number, headers: Record<string, string>, body: Body | undefined) => void

export interface Sender {
  readonly send: Send
  /** Sends a response, truncated if a fault requires it. */
  readonly deliver: Send
  /** Sends an error response. This function never throws an error. */
  readonly fail: (error: unknown, render: RenderError, call: Call) => void
}

/**
 * Creates a sender.
 *
 * @param observe Called after each response.
 */
export function createSender(
  { log, outages, inspect, helpUrl }: SenderDependencies & { readonly helpUrl: HelpUrl },
  listening: ListenerState,
  observe: (call: Call) => void,
): Sender {
  const send: Send = (call, status, headers, body) => {
    headers['x-request-id'] = call.id
    if (listening.stopping()) headers.connection = 'close'
    sendResponse(call, status, headers, body)
    inspect?.({ method: call.method, target: call.target, status, headers, body: textOf(body ?? '') })
    observe(call)
  }

  const deliver: Send = (call, status, headers, body) => {
    const fault = call.context?.fault
    if (fault?.kind !== 'cut') return send(call, status, headers, body)
    const whole = { ...headers, 'x-request-id': call.id }
    sendTruncated(call, status, whole, Buffer.from(textOf(body ?? '')), fault.bytes)
    observe(call)
  }

  const sendError = (error: unknown, rendered: RenderedProblem, call: Call) => {
    const { context } = call
    call.errorCode = codeOf(error)
    if (!outages.report(error) && isUnexpected(error)) logUnexpected(log, call.id, error)
    const headers: Record<string, string> = {
      ...context?.headers,
      ...rendered.headers,
      'content-type': 'application/json',
    }
    const help = helpUrl(call, call.errorCode)
    // Responses from deprecated operations already have a `Link` header.
    if (help) headers.link = [headers.link, `<${help}>; rel="help"`].filter(Boolean).join(', ')
    deliver(call, rendered.status, headers, rendered.body)
  }

  // Catch all errors, because an uncaught error would terminate the process.
  const fail: Sender['fail'] = (error, render, call) => {
    if (error instanceof ClientGone) return
    try {
      sendError(error, render(error), call)
    } catch (failure) {
      logUnexpected(log, call.id, failure)
      sendFallback(call)
    }
  }

  // Sends a plain 500 response if the original response can't be sent, for example because of an invalid header.
  const sendFallback = (call: Call) => {
    if (call.response.headersSent) return void call.response.destroy()
    const { status, body } = renderProblem(toProblem(undefined), defaultFormat)
    send(call, status, { 'content-type': 'application/json' }, body)
  }

  return { send, deliver, fail }
}

function codeOf(error: unknown): string {
  return error instanceof TokenProblem ? error.code : toProblem(error).code
}

function logUnexpected(log: Log, requestId: string, error: unknown): void {
  log.error('unexpected failure', { requestId, failure: String(error), stack: stackOf(error) })
}

const stackOf = (error: unknown): string | undefined => (error instanceof Error ? error.stack : undefined)
