import { describe, expect, test } from 'vitest'
import { measureDigest } from '../bench/digest.ts'
import { measureSizes } from '../bench/sizes.ts'
import { measureTypes } from '../bench/types.ts'

// These limits apply to the values that `npm run bench` compares with other clients.
// Tests can't measure times reliably, so times have no limits.
describe('the client stays within its budget', () => {
  test('for compressed bundle size', async () => {
    const sizes = new Map((await measureSizes(undefined)).map(({ program, gzip }) => [program, gzip]))
    expect(sizes.get('ours, one operation')).toBeLessThanOrEqual(8_192)
    expect(sizes.get('ours, each further operation')).toBeLessThanOrEqual(100)
    expect(sizes.get('ours, createOpenapiClient')).toBeLessThanOrEqual(20 * 1024)
  })

  test('for requests with Digest, sequential and parallel', async () => {
    for (const { requests } of await measureDigest(1_000)) expect(requests).toBe(1_001)
  })

  test('for compiler work', () => {
    // The native compiler reports the same number of instantiations in a fifth of the time.
    const measured = measureTypes(false, 'typescript-7')
    const work = new Map(measured.map(({ program, instantiations }) => [program, instantiations]))
    const creation = work.get('ours, creation alone') ?? Number.NaN
    const calls = work.get('ours, 20 calls by name') ?? Number.NaN
    expect(calls).toBeLessThanOrEqual(200)
    expect((calls - creation) / 20).toBeLessThanOrEqual(10)
  }, 300_000)
})
