import { md5 } from './md5.ts'

export const encoder = new TextEncoder()

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Hashes a text and returns lowercase hexadecimal digits. WebCrypto doesn't support MD5. It is available everywhere
 * except on insecure browser pages.
 */
export async function hashText(text: string, strong: boolean): Promise<string> {
  const bytes = encoder.encode(text)
  return toHex(strong ? new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)) : md5(bytes))
}

/** Creates a random client nonce. */
export function createNonce(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)))
}
