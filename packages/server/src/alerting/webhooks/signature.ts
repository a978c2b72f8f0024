import { createHmac } from 'node:crypto'

export interface SignedParts {
  readonly id: string
  /** The time of the attempt, in seconds since the Unix epoch. */
  readonly timestamp: number
  readonly body: string
}

/**
 * Returns the Standard Webhooks headers for a message. If there is no secret, the message isn't signed.
 *
 * @example
 * ```ts
 * webhookHeaders({ id: 'msg_1', timestamp: 1_700_000_000, body: '{}' }, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
 * ```
 */
export function webhookHeaders(parts: SignedParts, secret: string | undefined): Record<string, string> {
  const { id, timestamp, body } = parts
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp) }
  if (secret === undefined || secret === '') return headers
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { ...headers, 'webhook-signature': `v1,${signature}` }
}

/**
 * Extracts the key from a secret. A Standard Webhooks secret is `whsec_` followed by a base64 key. Any other secret is
 * used directly as the key.
 */
function keyOf(secret: string): Buffer {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1]
  return encoded === undefined ? Buffer.from(secret, 'utf8') : Buffer.from(encoded, 'base64')
}
