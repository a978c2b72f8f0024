import { expect, test } from 'vitest'
import type { Challenge } from './challenge.ts'
import { createNoncePool } from './nonces.ts'

/** Creates a nonce pool with numbered challenges. */
const numbered = () => {
  let challenges = 0
  return createNoncePool(async (): Promise<Challenge> => {
    challenges += 1
    return { scheme: 'Digest', parameters: { realm: 'r', nonce: `nonce-${challenges}` } }
  })
}

test('reuses a released nonce with a higher count', async () => {
  const pool = numbered()
  const nonce = await pool.acquire()
  expect(await pool.acquire()).toMatchObject({ value: 'nonce-2', count: 1 })
  pool.release(nonce)
  expect(await pool.acquire()).toMatchObject({ value: 'nonce-1', count: 2 })
})

test('discards a released nonce if the pool was cleared meanwhile', async () => {
  const pool = numbered()
  const [old, idle] = [await pool.acquire(), await pool.acquire()]
  pool.release(idle)
  pool.clear()
  pool.release(old)
  expect(await pool.acquire()).toMatchObject({ value: 'nonce-3' })
})
