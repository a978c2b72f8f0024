import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { chooseChallenge, hashA1, respondToChallenge } from './digest-response.ts'

/** The examples from RFC 7616 §3.9.1 and RFC 2617 §3.5, which differ only in their values. */
const rfc7616 = {
  user: 'Mufasa',
  password: 'Circle of Life',
  uri: '/dir/index.html',
  cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
  challenge: (algorithm: string) =>
    `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`,
}

interface Sample {
  readonly header: string
  readonly user?: string
  readonly password?: string
  readonly cnonce?: string
  readonly uri?: string
  readonly count?: number
}

async function authorize(sample: Sample): Promise<string> {
  const { user = 'Mufasa', password = 'Circle of Life', cnonce = rfc7616.cnonce, count = 1 } = sample
  const challenge = chooseChallenge(sample.header)
  if (!challenge) throw new Error('no challenge')
  const ha1 = await hashA1(challenge, user, password, cnonce)
  const { uri = '/dir/index.html' } = sample
  return respondToChallenge({ challenge, username: user, ha1, count, cnonce }, 'GET', uri)
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

describe('the response to a challenge', () => {
  test.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('matches RFC 7616 §3.9.1 with %s', async (algorithm, response) => {
    const header = await authorize({ header: rfc7616.challenge(algorithm) })
    expect(header).toBe(
      `Digest username="Mufasa", realm="http-auth@example.org", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", uri="/dir/index.html", response="${response}", algorithm=${algorithm}, opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS", qop=auth, nc=00000001, cnonce="${rfc7616.cnonce}"`,
    )
  })

  test('matches RFC 2617 §3.5', async () => {
    const header =
      'Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"'
    const value = await authorize({ header, password: 'Circle Of Life', cnonce: '0a4f113b' })
    expect(value).toContain('response="6629fae49393a05397450978507c4ef1"')
    expect(value).toContain('opaque="5ccc069c403ebaf9f0171e9517f40e41"')
    expect(value).not.toContain('algorithm')
  })

  test('matches RFC 2069 §2.4 (with its erratum) if the server offers no qop', async () => {
    const header =
      'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"'
    const value = await authorize({ header, password: 'CircleOfLife' })
    expect(value).toContain('response="1949323746fe6a43ef61f9606e7febea"')
    expect(value).not.toMatch(/nc=|cnonce=|qop=/)
  })

  test.each([
    ['MD5-sess', md5],
    ['SHA-256-sess', sha256],
  ])('includes nonce and client nonce in H(A1) with %s', async (algorithm, hash) => {
    const value = await authorize({
      header: `Digest realm="r", nonce="n", qop="auth", algorithm=${algorithm}`,
      cnonce: 'c',
    })
    const ha1 = hash(`${hash('Mufasa:r:Circle of Life')}:n:c`)
    expect(value).toContain(`response="${hash(`${ha1}:n:00000001:c:auth:${hash('GET:/dir/index.html')}`)}"`)
    expect(value).toContain(`algorithm=${algorithm}`)
  })

  test('counts in eight hexadecimal digits', async () => {
    expect(await authorize({ header: rfc7616.challenge('MD5'), count: 255 })).toContain('nc=000000ff')
  })
})

describe('the chosen challenge', () => {
  const nonceOf = (header: string): string | undefined => chooseChallenge(header)?.nonce

  test('is the strongest, in any position', () => {
    const header =
      'Digest nonce="weak", algorithm=MD5, Digest nonce="strong", algorithm=SHA-256-sess, Basic realm="x"'
    expect(nonceOf(header)).toBe('strong')
  })

  test('is the first of equally strong ones', () => {
    expect(nonceOf('Digest nonce="a", algorithm=MD5-sess, Digest nonce="b", algorithm=MD5')).toBe('a')
  })

  test('never has an unknown algorithm or qop', () => {
    const header = 'Digest nonce="a", algorithm=SHA-512-256, Digest nonce="b", qop="token", Digest nonce="c"'
    expect(nonceOf(header)).toBe('c')
    expect(nonceOf('Digest nonce="a", qop="auth-int"')).toBeUndefined()
    expect(nonceOf('Digest nonce="a", qop="auth-int,auth"')).toBe('a')
    expect(nonceOf('Digest nonce="a", algorithm=SHA-512-256')).toBeUndefined()
    expect(nonceOf('Basic realm="x"')).toBeUndefined()
  })

  test('tells whether the nonce is stale, in upper or lower case', () => {
    expect(chooseChallenge('Digest nonce="a", stale=TRUE')?.stale).toBe(true)
    expect(chooseChallenge('Digest nonce="a", stale=false')?.stale).toBe(false)
  })
})
