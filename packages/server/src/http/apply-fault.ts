import { problem } from '../domain/problem.ts'
import type { FaultEffect } from '../world/faults.ts'
import type { World } from '../world/world.ts'
import type { Call } from './call.ts'
import { ClientGone } from './read-body.ts'

/** Waits for a number of milliseconds, or until the signal aborts. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<unknown>

/** Whether to continue processing the request after the fault. */
export type FaultResult = 'continue' | 'ended'

/**
 * Applies a fault that takes effect before the response is sent.
 *
 * @throws {Problem} if the fault is an error status.
 * @throws {ClientGone} if the client disconnects during the delay.
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
    if (request.socket.destroyed) throw new ClientGone('The client closed the connection')
  }
  if (effect.kind === 'reset') {
    request.socket.resetAndDestroy()
    return 'ended'
  }
  if (effect.kind === 'status') {
    const headers = { 'retry-after': String(effect.retryAfter) }
    const detail = 'The sandbox injected this fault.'
    throw problem(effect.status === 429 ? 'RATE_LIMITED' : 'UNAVAILABLE', { detail, headers })
  }
  return 'continue'
}

/**
 * Waits until the delay is over, the connection closes or the world is deleted. Cancels a timer that is still pending,
 * because it would keep the process running.
 */
async function pause(
  { response }: Call,
  onEnd: (end: () => void) => (() => void) | undefined,
  wait: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const ending = new AbortController()
  const end = () => ending.abort()
  const ended = new Promise((resolve) => ending.signal.addEventListener('abort', resolve))
  const unsubscribe = onEnd(end)
  response.once('close', end)
  try {
    await Promise.race([wait(ending.signal), ended])
  } catch (error) {
    if (!ending.signal.aborted) throw error
  } finally {
    response.off('close', end)
    unsubscribe?.()
  }
}

/** Sends the headers and the first bytes of the body, then closes the connection. */
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
  // Always close the connection, even after sending the whole body.
  if (part.length === 0) response.socket?.destroySoon()
  else response.write(part, () => response.socket?.destroySoon())
}
