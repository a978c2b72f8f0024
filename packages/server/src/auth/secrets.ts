import { hash, timingSafeEqual } from 'node:crypto'

/**
 * Returns the SHA-256 hash in hexadecimal. A plain hash is secure enough, because secrets with 256 random bits can't be
 * guessed.
 */
export const sha256 = (text: string): string => hash('sha256', text)

export const md5 = (text: string): string => hash('md5', text)

/** Compares two strings in constant time. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
