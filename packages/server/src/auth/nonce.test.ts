import { randomBytes } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../persistence/database.ts'
import { migrate } from '../persistence/migrate.ts'
import { clockSkew, createNonces, databaseEra, memoryEra } from './nonce.ts'
import { inMemory, type NonceUses, usesInDatabase } from './nonce-uses.ts'

const key = Buffer.alloc(32, 1)
const nonces = (era = 0) =>
  createNonces({
    key,
    era: memoryEra((size) => Buffer.alloc(size, era)),
    lifetime: 1000,
    random: randomBytes,
  })
const use = (count: number, more = {}) => ({
  nonce: 'n',
  count,
  issuedAt: 0,
  expiresAt: 1000,
  now: 0,
  ...more,
})

describe('a nonce', () => {
  it('is valid for its lifetime, also to another process with the key', () => {
    const nonce = nonces().issue(5000)
    expect(nonces().check(nonce, 5999)).toEqual({ state: 'valid', issuedAt: 5000, expiresAt: 6000 })
    expect(nonces().check(nonce, 6000).state).toBe('expired')
  })

  it('from before a restart or a rewind counts as expired', () => {
    const nonce = nonces(1).issue(5000)
    expect(nonces(2).check(nonce, 5001).state).toBe('expired')
    expect(nonces(1).check(nonce, 4999).state).toBe('expired')
  })

  it("of a process whose clock is slightly ahead is valid; one of a corrected clock isn't", () => {
    const at = (ahead: number, turns = 0) => {
      const era = databaseEra(
        () => 1e9 + ahead,
        300_000,
        () => turns,
      )
      const own = createNonces({ key, era, lifetime: 300_000, random: randomBytes })
      return {
        issue: () => own.issue(5e9 + ahead),
        stateOf: (nonce: string) => own.check(nonce, 5e9 + ahead).state,
      }
    }
    for (const ahead of [20, 1000, clockSkew]) {
      expect([ahead, at(0).stateOf(at(ahead).issue())]).toEqual([ahead, 'valid'])
      expect([ahead, at(ahead).stateOf(at(0).issue())]).toEqual([ahead, 'valid'])
    }
    expect(at(0).stateOf(at(clockSkew + 1000).issue())).toBe('expired')
    expect(at(0, 1).stateOf(at(0).issue())).toBe('expired')
  })

  it('never repeats', () => {
    const one = nonces()
    expect(one.issue(1)).not.toBe(one.issue(1))
  })

  it('that was changed in any byte is forged', () => {
    const bytes = Buffer.from(nonces().issue(5000), 'base64url')
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(nonces().check(changed.toString('base64url'), 5001).state).toBe('forged')
    }
  })
})

async function inDatabase(realTime = Date.now): Promise<NonceUses> {
  const database = await openDatabase(':memory:')
  onTestFinished(() => database.close())
  await migrate(database)
  return usesInDatabase(database, realTime, 1000)
}

describe.each([
  ['in memory', async () => inMemory(10)],
  ['in the database', () => inDatabase()],
])('counts %s', (_, create) => {
  it('are accepted once each, in any order', async () => {
    const uses = await create()
    const taken = []
    for (const count of [2, 1, 2, 1, 1000, 999, 999, 3]) taken.push(await uses.record(use(count)))
    expect(taken).toEqual(['first', 'first', 'repeated', 'repeated', 'first', 'first', 'repeated', 'first'])
  })

  it("of one nonce don't affect another", async () => {
    const uses = await create()
    expect(await uses.record(use(1))).toBe('first')
    expect(await uses.record(use(1, { nonce: 'other' }))).toBe('first')
  })
})

describe('counts in the database', () => {
  it("outlive their nonces, regardless of the world's clock", async () => {
    let real = 1e9
    const realTime = () => real
    const era = databaseEra(realTime, 1000, () => 0)
    const nonces = createNonces({ key, era, lifetime: 1000, random: randomBytes })
    const nonce = nonces.issue(5000)
    const uses = await inDatabase(realTime)
    const sweep = async (now: number) => {
      for (let count = 1; count <= 1100; count += 1)
        await uses.record(use(count, { nonce: String(now), now }))
    }
    expect(await uses.record(use(1, { nonce }))).toBe('first')
    await sweep(600_000)
    expect([nonces.check(nonce, 5500).state, await uses.record(use(1, { nonce }))]).toEqual([
      'valid',
      'repeated',
    ])
    real += 3_600_000
    await sweep(700_000)
    expect([nonces.check(nonce, 5500).state, await uses.record(use(1, { nonce }))]).toEqual([
      'expired',
      'first',
    ])
  })
})

describe('counts in memory', () => {
  it('are rejected when they are older than the window', async () => {
    const uses = inMemory(10)
    await uses.record(use(5000))
    expect(await uses.record(use(3976))).toBe('repeated')
    expect(await uses.record(use(3977))).toBe('first')
    expect(await uses.record(use(0xffffffff))).toBe('first')
    expect(await uses.record(use(0))).toBe('repeated')
  })

  it('of evicted nonces are reported as evicted', async () => {
    const uses = inMemory(2)
    for (const [nonce, issuedAt] of [
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ] as const) {
      expect(await uses.record(use(1, { nonce, issuedAt }))).toBe('first')
    }
    expect(await uses.record(use(1, { nonce: 'a', issuedAt: 1 }))).toBe('evicted')
    expect(await uses.record(use(2, { nonce: 'c', issuedAt: 3 }))).toBe('first')
  })

  it('evict expired nonces first', async () => {
    const uses = inMemory(2)
    await uses.record(use(1, { nonce: 'a', issuedAt: 1, expiresAt: 10 }))
    await uses.record(use(1, { nonce: 'b', issuedAt: 2 }))
    await uses.record(use(1, { nonce: 'c', issuedAt: 3, now: 10 }))
    expect(await uses.record(use(2, { nonce: 'b', issuedAt: 2, now: 10 }))).toBe('first')
  })
})
