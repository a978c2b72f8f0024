import { md5 } from './md5.ts'

/** A hash of text, as lower-case hexadecimal digits. */
export type HashText = (text: string) => string | Promise<string>

export const encoder = new TextEncoder()

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** WebCrypto has no MD5, on any runtime. */
const hashMd5: HashText = (text) => toHex(md5(encoder.encode(text)))

/** WebCrypto exists wherever this package runs, except in browser pages that were not served securely. */
const hashSha256: HashText = async (text) =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))))

/** The hash of an algorithm name (RFC 7616 §6.1), or undefined where it is not one of ours. */
export function findHash(algorithm: string): HashText | undefined {
  if (/^sha-256(-sess)?$/i.test(algorithm)) return globalThis.crypto?.subtle && hashSha256
  return /^md5(-sess)?$/i.test(algorithm) ? hashMd5 : undefined
}

/** Bytes of randomness for a client nonce. */
export function createNonce(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)))
}
