import { md5 } from './md5.ts'

export const encoder = new TextEncoder()

/** Hashes a text and returns lowercase hexadecimal digits. */
export type HashText = (text: string, strong: boolean) => string | Promise<string>

/** WebCrypto doesn't support MD5. It is available everywhere except on insecure browser pages. */
const hashPortably: HashText = async (text, strong) => {
  const bytes = encoder.encode(text)
  return toHex(strong ? new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)) : md5(bytes))
}

/** Hashes with the function that `setHash` set last. */
export let hashText = hashPortably

/**
 * Sets a faster hash, which may use the portable one for what it doesn't support. It isn't the default, because
 * browsers have none, and their bundles should be small.
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
