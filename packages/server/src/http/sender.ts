import { TokenProblem } from '../domain/token-problem.ts'
import { sendTruncated } from './apply-fault.ts'
import { type Body, textOf } from './body.ts'
import { type Call, sendResponse } from './call.ts'
import type { Log } from './log.ts'
import type { OutageLog } from './outage-log.ts'
import { isUnexpected } from './pipeline.ts'
import { type RenderedProblem, renderProblem, toProblem } from './problem-body.ts'
import { defaultFormat } from './query-string.ts'
import { ClientGone } from './read-body.ts'

/** What answers are sent and told of with. */
export interface SenderDependencies {
  readonly log: Log
  readonly outages: OutageLog
  /** Shown every answer of the API on its way out, for tests that check it against the documents. */
  readonly inspect?: (response: SentResponse) => void
}

/** An answer as a caller gets it. */
export interface SentResponse {
  readonly method: string
  readonly target: string
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** What an answer must know of the server that sends it. */
export interface ListenerState {
  port(): number | undefined
  /** True once the server is stopping: connections end with what is in flight on them. */
  stopping(): boolean
}

/** Puts a failure into the words of whoever asked. */
type RenderError = (error: unknown) => RenderedProblem

type Send = (call: Call, status: number, headers: Record<string, string>, body: Body | undefined) => void

/** Sends answers and refusals. */
export interface Sender {
  readonly send: Send
  /** Sends an answer, or as much of it as a fault of the sandbox lets through. */
  readonly deliver: Send
  /** Refuses; never throws. */
  readonly fail: (error: unknown, refuse: RenderError, call: Call) => void
}

/** @param observe told of each call that was answered. */
export function createSender(
  { log, outages, inspect }: SenderDependencies,
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

  const tell = (error: unknown, rendered: RenderedProblem, call: Call) => {
    const { context } = call
    call.errorCode = codeOf(error)
    if (!outages.report(error) && isUnexpected(error)) logUnexpected(log, call.id, error)
    const headers = { ...context?.headers, ...rendered.headers, 'content-type': 'application/json' }
    deliver(call, rendered.status, headers, rendered.body)
  }

  /** Nobody hears of what is thrown from here: it would end the process. */
  const fail: Sender['fail'] = (error, refuse, call) => {
    if (error instanceof ClientGone) return
    try {
      tell(error, refuse(error), call)
    } catch (failure) {
      logUnexpected(log, call.id, failure)
      giveUp(call)
    }
  }

  /** For an answer that cannot be sent, such as one with a header that HTTP does not have: none of it is. */
  const giveUp = (call: Call) => {
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
