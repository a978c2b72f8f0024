import type { Clients, Lifecycles, NewestVersion } from '#api'
import { readNumbers } from './settings.ts'
import { fromBase64, importKey, signedContent } from './webhook-signature.ts'

type Alert = Awaited<ReturnType<Clients[NewestVersion]['getAlert']>>

/**
 * The content of a webhook. The API doesn't specify webhook contents, so this type describes what the
 * reference server sends.
 */
export interface WebhookEvent {
  /** `alert.` followed by the alert's status in lowercase. */
  readonly type: `alert.${Lowercase<Lifecycles['alert']>}` | (string & {})
  /** The time when the notification was sent, in UTC. */
  readonly timestamp: string
  /** The alert, and the notification that caused the message. */
  readonly data: Alert & { readonly severity?: string; readonly notifierId?: string }
}

/** `Headers`, or the headers from a Node.js request. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** Options for `verifyWebhook`. */
export interface WebhookOptions {
  /** The notification's `webhookSecret`. While rotating the secret, pass both the old and the new secret. */
  readonly secret: string | readonly string[]
  /** The maximum difference between the message's time and the current time, in seconds. Default: 300. */
  readonly toleranceSeconds?: number | undefined
  /** Replaces the system clock in tests. */
  readonly clock?: { now(): number } | undefined
}

/** The part of a message that failed verification. */
export type WebhookErrorReason = 'headers' | 'timestamp' | 'signature' | 'body'

/**
 * The message can't be trusted. Respond with a 400, and don't use the body.
 *
 * @example
 * const error = await verifyWebhook('{}', new Headers(), { secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' }).catch((thrown) => thrown)
 * if (error instanceof WebhookError) console.log(error.reason) // headers
 */
export class WebhookError extends Error {
  override name = 'WebhookError'
  readonly reason: WebhookErrorReason
  constructor(reason: WebhookErrorReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Verifies a webhook's signature and age, and returns its content. The signature follows Standard Webhooks (HMAC-SHA256
 * over ID, timestamp and body). The platform compares the signatures in constant time. A message can arrive more than
 * once with the same `webhook-id`.
 *
 * @param body The raw body, before it is parsed.
 * @example
 * const event = await verifyWebhook(await request.text(), request.headers, { secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' })
 * if (event.type === 'alert.open') console.log(event.data.eventTypeName)
 * @throws WebhookError for a message that can't be trusted. Throws TypeError if the secret is missing, the body has
 *   already been parsed, or another argument has the wrong type.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  options: WebhookOptions,
): Promise<WebhookEvent> {
  const { secret, clock = Date }: Partial<WebhookOptions> = Object(options)
  const { toleranceSeconds } = readNumbers(options, { toleranceSeconds: 300 })
  const secrets = [secret].flat() as string[]
  if (!secrets.length || !secrets.every((each) => each && typeof each === 'string')) {
    throw new TypeError("secret is empty: expected the notification's webhookSecret")
  }
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError(`body is ${typeof body}: expected the raw body as text or bytes, before it is parsed`)
  }
  if (typeof headers !== 'object' || headers === null) {
    throw new TypeError(`headers is ${typeof headers}: expected the request's headers`)
  }
  const [id, sentAt, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    readHeader(headers, `webhook-${name}`),
  ) as [string, string, string]
  // The timestamp is in seconds. If the timestamp isn't a number, the age is NaN and the message is rejected.
  const age = Math.abs(clock.now() / 1000 - (/^\d+$/.test(sentAt) ? Number(sentAt) : Number.NaN))
  if (!(age <= toleranceSeconds)) {
    throw new WebhookError(
      'timestamp',
      `webhook-timestamp differs from the current time by more than ${toleranceSeconds} s`,
    )
  }
  const content = signedContent(id, sentAt, body)
  if (!(await hasSignature(signatures, secrets, content))) {
    throw new WebhookError('signature', 'webhook-signature has no valid v1 signature')
  }
  return readEvent(typeof body === 'string' ? body : new TextDecoder().decode(body))
}

function readHeader(headers: WebhookHeaders, name: string): string {
  // `instanceof` wouldn't recognize `Headers` from another implementation.
  const { get } = headers
  const value = typeof get === 'function' ? get.call(headers, name) : Reflect.get(headers, name)
  const text = Array.isArray(value) ? value.join(' ') : value
  if (text) return text as string
  throw new WebhookError('headers', `${name} is missing`)
}

async function hasSignature(
  header: string,
  secrets: readonly string[],
  content: ArrayBuffer,
): Promise<boolean> {
  // While a sender is rotating its secret, the header contains several signatures, separated by spaces.
  const offered = header
    .split(' ')
    .flatMap((each) => (each.startsWith('v1,') ? [fromBase64(each.slice(3))] : []))
  for (const secret of secrets) {
    const key = await importKey(secret, 'verify')
    for (const signature of offered) {
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, content))) return true
    }
  }
  return false
}

function readEvent(text: string): WebhookEvent {
  try {
    const event: unknown = JSON.parse(text)
    if (typeof Object(event).type === 'string') return event as WebhookEvent
  } catch {
    // The error below omits the text because it may contain a secret.
  }
  throw new WebhookError('body', 'the signature is valid, but the body is not a JSON object with a type')
}
