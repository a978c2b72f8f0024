import { importKey, signedContent } from '../webhook-signature.ts'

/**
 * Signs a body the way the server does, for testing your webhook receiver. Returns the request's headers.
 *
 * @param at The message's time in milliseconds since the UNIX epoch. Default: now.
 * @example
 * const body = JSON.stringify({ type: 'alert.open', timestamp: '2025-11-18T09:24:51Z', data: example('getAlert') })
 * const headers = await signWebhook(body, 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD')
 */
export async function signWebhook(
  body: string,
  secret: string,
  { id = `msg_${crypto.randomUUID()}`, at = Date.now() } = {},
): Promise<Record<`webhook-${'id' | 'timestamp' | 'signature'}`, string>> {
  const timestamp = String(Math.floor(at / 1000))
  const content = signedContent(id, timestamp, body)
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', await importKey(secret, 'sign'), content))
  const signature = `v1,${btoa(String.fromCharCode(...bytes))}`
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
}
