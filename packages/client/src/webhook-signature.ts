const encoder = new TextEncoder()

/** Returns the bytes that the signature covers. */
export function signedContent(id: string, sentAt: string, body: string | Uint8Array): ArrayBuffer {
  const start = encoder.encode(`${id}.${sentAt}.`)
  const rest = typeof body === 'string' ? encoder.encode(body) : body
  const content = new Uint8Array(start.length + rest.length)
  content.set(start)
  content.set(rest, start.length)
  return content.buffer
}

/** Standard Webhooks secrets are `whsec_` followed by base64. Any other text is used as is. */
export function importKey(secret: string, usage: 'sign' | 'verify'): Promise<CryptoKey> {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1]
  const bytes = (encoded && fromBase64(encoded)) || encoder.encode(secret)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [usage])
}

/** Returns `undefined` if the text isn't base64. */
export function fromBase64(text: string): ArrayBuffer | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0)).buffer
  } catch {
    return undefined
  }
}
