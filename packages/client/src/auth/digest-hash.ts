import { md5 } from './md5.ts'

export const encoder = new TextEncoder()

/** Hashes a text and returns lowercase hexadecimal digits. */
export type HashText = (text: string, strong: boolean) => string | Promise<string>

/**
 * Hashes with WebCrypto, or with our own MD5, which WebCrypto doesn't support. WebCrypto is available
 * everywhere except on insecure browser pages.
 */
const hashPortably: HashText = async (text, strong) => {
  const bytes = encoder.encode(text)
  return toHex(strong ? new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)) : md5(bytes))
}

/** Hashes with the function that `setHash` set last. */
export let hashText = hashPortably

/**
 * Sets a faster hash function, which can call the portable function for algorithms that it doesn't support.
 * No faster function is included by default because browsers don't have one, and their bundles should stay
 * small.
 */
export function setHash(create: (portable: HashText) => HashText): void {
  hashText = create(hashPortably)
}

function toHex(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += (byte + 256).toString(16).slice(1)
  return hex
}

/** Creates a random client nonce. */
export function createNonce(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)))
}
