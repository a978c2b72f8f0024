import { createHash, createHmac, randomBytes } from 'node:crypto'
import { type Holder, same } from './holders.ts'

// HTTP Digest (RFC 7616) with MD5 and qop=auth, as the security scheme in the documents requires.

const realm = 'alerts'
const nonceLifetimeMs = 300_000

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

interface Key {
  /** Returns the hash that is stored instead of the private key. */
  readonly hash: string
  readonly holder: Holder
}

export type DigestOutcome = { readonly holder: Holder } | { readonly stale: boolean }

const parametersOf = (header: string): Map<string, string> =>
  new Map(
    [...header.matchAll(/(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g)].map(([, name, quoted, token]) => [
      (name ?? '').toLowerCase(),
      quoted?.replaceAll(/\\(.)/g, '$1') ?? token ?? '',
    ]),
  )

export class Digest {
  readonly #keys = new Map<string, Key>()
  readonly #secret = randomBytes(32)
  /**
   * The nonce counts used so far, by nonce. All counts are stored, not just the highest one, because parallel requests
   * may arrive in any order.
   */
  readonly #counts = new Map<string, Set<string>>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  add(publicKey: string, privateKey: string, holder: Holder): void {
    this.#keys.set(publicKey, { hash: md5(`${publicKey}:${realm}:${privateKey}`), holder })
  }

  challenge(stale: boolean): string {
    const issued = `${this.#now().toString(36)}.${randomBytes(9).toString('hex')}`
    const nonce = `${issued}.${this.#signature(issued)}`
    return `Digest realm="${realm}", qop="auth", algorithm=MD5, nonce="${nonce}", stale=${stale}`
  }

  check(header: string, method: string, target: string): DigestOutcome {
    const parameters = parametersOf(header)
    const get = (name: string): string => parameters.get(name) ?? ''
    const [nonce, count, qop, uri] = [get('nonce'), get('nc'), get('qop'), get('uri')]
    const key = this.#keys.get(get('username'))
    const algorithm = parameters.get('algorithm') ?? 'MD5'
    const response = md5(
      [key?.hash ?? '', nonce, count, get('cnonce'), qop, md5(`${method}:${uri}`)].join(':'),
    )
    const valid =
      same(response, get('response').toLowerCase()) &&
      get('realm') === realm &&
      algorithm.toUpperCase() === 'MD5' &&
      qop === 'auth' &&
      uri === target &&
      /^[0-9a-f]{8}$/i.test(count)
    if (!key || !valid || !this.#isOurs(nonce)) return { stale: false }
    if (this.#isOld(nonce)) return { stale: true }
    return this.#use(nonce, count.toLowerCase()) ? { holder: key.holder } : { stale: false }
  }

  #signature(issued: string): string {
    return createHmac('sha256', this.#secret).update(issued).digest('hex').slice(0, 32)
  }

  #isOurs(nonce: string): boolean {
    const end = nonce.lastIndexOf('.')
    return end > 0 && same(this.#signature(nonce.slice(0, end)), nonce.slice(end + 1))
  }

  #isOld(nonce: string): boolean {
    const age = this.#now() - Number.parseInt(nonce, 36)
    return age < 0 || age > nonceLifetimeMs
  }

  #use(nonce: string, count: string): boolean {
    const used = this.#counts.get(nonce) ?? new Set()
    if (used.has(count)) return false
    if (used.size === 0) for (const old of this.#counts.keys()) if (this.#isOld(old)) this.#counts.delete(old)
    this.#counts.set(nonce, used.add(count))
    return true
  }
}
