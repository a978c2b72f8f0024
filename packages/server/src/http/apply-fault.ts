import { problem } from '../domain/problem.ts'
import type { FaultEffect } from '../world/faults.ts'
import type { World } from '../world/world.ts'
import type { Call } from './call.ts'
import { ClientGone } from './read-body.ts'

/** Waits so many milliseconds, or until the signal; injected, so that a test need not. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<unknown>

/** What a fault did to a request before it was answered. */
export type FaultResult = 'goes on' | 'ended'

/**
 * Lets happen what a fault does before the answer; the other kinds are looked at where they belong.
 *
 * @throws {Problem} for a status that is answered instead.
 * @throws {ClientGone} if nobody is left who waits for the answer.
 */
export async function applyFault(
  effect: FaultEffect,
  call: Call,
  { sandbox }: World,
  wait: Wait,
): Promise<FaultResult> {
  const { request } = call
  if (effect.kind === 'latency') {
    await pause(
      call,
      (end) => sandbox?.faults.onEnd(end),
      (signal) => wait(effect.milliseconds, signal),
    )
    if (request.socket.destroyed) throw new ClientGone('The client went away')
  }
  if (effect.kind === 'reset') {
    request.socket.resetAndDestroy()
    return 'ended'
  }
  if (effect.kind === 'status') {
    const headers = { 'retry-after': String(effect.retryAfter) }
    const detail = 'A fault of the sandbox.'
    throw problem(effect.status === 429 ? 'RATE_LIMITED' : 'UNAVAILABLE', { detail, headers })
  }
  return 'goes on'
}

/** Waits, but no longer than the connection and the world last: a timer would keep the process alive as well. */
async function pause(
  { response }: Call,
  whenEnded: (end: () => void) => (() => void) | undefined,
  wait: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const over = new AbortController()
  const end = () => over.abort()
  const ended = new Promise((resolve) => over.signal.addEventListener('abort', resolve))
  const forget = whenEnded(end)
  response.once('close', end)
  try {
    await Promise.race([wait(over.signal), ended])
  } catch (error) {
    if (!over.signal.aborted) throw error
  } finally {
    response.off('close', end)
    forget?.()
  }
}

/** Sends the head of an answer and so many bytes of its body, and ends the connection. */
export function sendTruncated(
  { response }: Call,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
  bytes: number,
): void {
  response.writeHead(status, { ...headers, 'content-length': String(body.length) })
  response.flushHeaders()
  const part = body.subarray(0, bytes)
  // Of all that was promised nothing but this comes, also where all of it would have.
  if (part.length === 0) response.socket?.destroySoon()
  else response.write(part, () => response.socket?.destroySoon())
}
