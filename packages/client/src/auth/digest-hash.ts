import { md5 } from './md5.ts'

export const encoder = new TextEncoder()

/** Hashes text with SHA-256 (if `strong`) or MD5, and returns lowercase hexadecimal digits. */
export type HashText = (text: string, strong: boolean) => string | Promise<string>

/**
 * Hashes with WebCrypto. WebCrypto doesn't support MD5, so MD5 uses our own implementation. Browsers provide WebCrypto
 * only on pages served over HTTPS.
 */
const hashPortably: HashText = async (text, strong) => {
  const bytes = encoder.encode(text)
  return toHex(strong ? new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)) : md5(bytes))
}

/** The current hash function, which `setHash` can replace. */
export let hashText = hashPortably

/**
 * Installs a faster hash function. The new function can call the portable function for algorithms that it doesn't
 * support. Browser bundles don't need `setHash` because browsers have no faster function.
 */
export function setHash(create: (portable: HashText) => HashText): void {
  hashText = create(hashPortably)
}

function toHex(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += (byte + 256).toString(16).slice(1)
  return hex
}

/** Generates a random client nonce. */
export function createNonce(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)))
}
