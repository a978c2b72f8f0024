import { md5 } from './md5.ts'

/** A hash of a text, in lowercase hexadecimal. */
export type HashText = (text: string) => string | Promise<string>

export const encoder = new TextEncoder()

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** WebCrypto doesn't support MD5. */
const hashMd5: HashText = (text) => toHex(md5(encoder.encode(text)))

/** WebCrypto is available everywhere except in browser pages without a secure context. */
const hashSha256: HashText = async (text) =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))))

/** Returns the hash function of an algorithm (RFC 7616 §6.1), or undefined if it isn't supported. */
export function findHash(algorithm: string): HashText | undefined {
  if (/^sha-256(-sess)?$/i.test(algorithm)) return globalThis.crypto?.subtle && hashSha256
  return /^md5(-sess)?$/i.test(algorithm) ? hashMd5 : undefined
}

/** Creates a random client nonce. */
export function createNonce(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)))
}
