import { problem } from '../domain/problem.ts'
import type { FaultEffect } from '../world/faults.ts'
import type { Call } from './call.ts'

/** Waits so many milliseconds; injected, so that a test need not. */
export type Wait = (milliseconds: number) => Promise<unknown>

/** What a fault did to a request before it was answered. */
export type Disturbed = 'goes on' | 'ended'

/**
 * Lets happen what a fault does before the answer; the other kinds are looked at where they belong.
 *
 * @throws {Problem} for a status that is answered instead.
 */
export async function disturb(effect: FaultEffect, { request }: Call, wait: Wait): Promise<Disturbed> {
  if (effect.kind === 'latency') await wait(effect.milliseconds)
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

/** Sends the head of an answer and so many bytes of its body, and ends the connection. */
export function sendCut(
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
