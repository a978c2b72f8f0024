import { expect, test } from 'vitest'
import { contextWith, dated, outcomeIn } from '../../../test/context-over.ts'
import type { HttpSession } from '../../http/session.ts'
import challenge from './challenge.ts'

const nonce = 'a nonce'

/** Creates a session in which the server accepts each nonce once or several times. */
const sessionWith = (staleOf: (isWrong: boolean, isUsed: boolean) => boolean, reusable: boolean) => {
  let used = 0
  const session: HttpSession = {
    challenge: async () => ({ scheme: 'Digest', parameters: { nonce } }),
    token: () => expect.fail('not used'),
    forget: () => {},
    waits: () => 0,
    async send(request, as) {
      if (as.kind !== 'digest' || as.spoil === undefined) return expect.fail('not used')
      const { publicKey: username, privateKey: password } = as.key
      const { method, path: uri } = request
      const right = { username, password, realm: '', nonce: '', method, uri, count: 1, cnonce: '' }
      const sent = as.spoil({ ...right, opaque: undefined, algorithm: undefined })
      const isWrong = sent.username !== username || sent.password !== password || sent.method !== method
      const isUsed = used > 0 && !reusable
      used += 1
      const isRefused = isWrong || isUsed
      const stale = staleOf(isWrong, isUsed)
      const text = `Digest realm="r", nonce="n", stale=${stale}`
      return {
        url: uri,
        request,
        response: {
          status: isRefused ? 401 : 200,
          reason: '',
          headers: isRefused ? [['WWW-Authenticate', text] as const] : [],
          body: '{}',
        },
        milliseconds: 1,
      }
    },
  }
  return session
}

test.each([
  ['says that a valid nonce is stale', (isWrong: boolean) => isWrong, true, 'Violation'],
  ['accepts each nonce only once', (isWrong: boolean) => isWrong, false, 'passed'],
  ['says only that a used nonce is stale', (_: boolean, isUsed: boolean) => isUsed, false, 'passed'],
  ['never says that a nonce is stale', () => false, true, 'passed'],
])('a server that %s', async (_, staleOf, reusable, expected) => {
  for (const label of ['wrong private key', 'unknown public key', 'digest for another method']) {
    const context = contextWith(sessionWith(staleOf, reusable))
    const rule = challenge['auth.challenge-not-stale']
    expect(await outcomeIn(context, dated('listMatcherFieldNames'), rule, label)).toBe(expected)
  }
})
