import { createHmac } from 'node:crypto'

/** What is signed: the id, the time and the body of one attempt. */
export interface SignedParts {
  readonly id: string
  /** Seconds since the epoch. */
  readonly timestamp: number
  readonly body: string
}

/**
 * The headers of a Standard Webhooks message. Without a secret there is nothing to sign with, and no signature.
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

/** Standard Webhooks writes secrets as `whsec_` and base64; any other text is a key as it stands. */
function keyOf(secret: string): Buffer {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1]
  return encoded === undefined ? Buffer.from(secret, 'utf8') : Buffer.from(encoded, 'base64')
}
