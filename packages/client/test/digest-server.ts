import { createHash } from 'node:crypto'
import type { Responder, StubRequest } from '../src/testing/index.ts'

export const key = { publicKey: 'abcdefgh', privateKey: 'b2c7e6f8-not-a-real-key' }

/** A Digest server that uses the platform's hash functions instead of the client's. */
export interface DigestServer {
  readonly respond: Responder
  /** Discards the current nonce. The server marks the nonce as stale in its next response. */
  expire(options?: { readonly stale: boolean }): void
  /** Sends `nextnonce` with the next response. */
  announce(): void
  /** Every accepted nonce and count, as `nonce/count`. */
  readonly accepted: string[]
}

const hash = (text: string): string => createHash('md5').update(text).digest('hex')

export function createDigestServer(respond: () => Response): DigestServer {
  const accepted: string[] = []
  let serial = 1
  let stale = false
  let announced = false
  const nonce = (): string => `nonce-${serial}`

  function challenge401(): Response {
    const challenge = `Digest realm="svc, admin", qop="auth", nonce="${nonce()}", opaque="o", algorithm=MD5, stale=${stale}`
    const body = { error: 401, errorCode: 'UNAUTHORIZED', reason: 'Unauthorized', detail: 'no' }
    return Response.json(body, { status: 401, headers: { 'www-authenticate': challenge } })
  }

  function isValid({ method, url }: StubRequest, fields: Record<string, string | undefined>): boolean {
    const ha1 = hash(`${key.publicKey}:svc, admin:${key.privateKey}`)
    const ha2 = hash(`${method}:${url.pathname}${url.search}`)
    const expected = hash(`${ha1}:${fields.nonce}:${fields.nc}:${fields.cnonce}:auth:${ha2}`)
    return fields.response === expected && fields.opaque === 'o' && fields.uri === url.pathname + url.search
  }

  return {
    accepted,
    expire(options = { stale: true }) {
      serial += 1
      stale = options.stale
    },
    announce() {
      announced = true
    },
    respond(request) {
      const header = request.headers.get('authorization') ?? ''
      const pairs = [...header.matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g)]
      const fields = Object.fromEntries(pairs.map(([, name, quoted, bare]) => [name, quoted ?? bare]))
      const use = `${fields.nonce}/${fields.nc}`
      if (fields.nonce !== nonce() || !isValid(request, fields) || accepted.includes(use))
        return challenge401()
      accepted.push(use)
      const response = respond()
      if (announced) {
        announced = false
        serial += 1
        response.headers.set('authentication-info', `nextnonce="${nonce()}", qop=auth`)
      }
      return response
    },
  }
}
