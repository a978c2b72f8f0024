import { describe, expect, it } from 'vitest'
import { createReadCache } from './sqlite-cache.ts'

/** Creates a read that counts how often it runs. */
function counting(
  table = 'one',
  kept = createReadCache(() => false),
  size = 0,
  also: { readonly onSecondRead?: boolean } = {},
) {
  const read: unknown[] = []
  const ask = kept.cached({
    table,
    ...also,
    sizeOf: () => size,
    read: (values) => read.push(...values),
    /**
     * The first response remains valid if a new row's creation time is after 100, and the second response if it is
     * after 200.
     */
    remainsValid: (response, createdAt) => createdAt > 100 * response,
  })
  return { kept, read, ask }
}

describe('the read cache of a file', () => {
  it('reads once for equal values', () => {
    const { read, ask } = counting()
    expect([ask([1]), ask([1]), ask([2]), ask(['1'])]).toEqual([1, 1, 2, 3])
    expect(read).toEqual([1, 2, '1'])
  })

  it('reads again after a change of the same table, and not after a change of another', () => {
    const { kept, read, ask } = counting()
    const other = counting('other', kept)
    ask([1])
    other.ask([1])
    kept.forgetTable('one')
    kept.forgetTable('none')
    ask([1])
    other.ask([1])
    expect([read, other.read]).toEqual([[1, 1], [1]])
    kept.forget()
    other.ask([1])
    expect(other.read).toEqual([1, 1])
  })

  it("retains a response after a row is added that doesn't belong to it", () => {
    const { kept, read, ask } = counting()
    for (const value of ['first', 'second']) ask([value])
    kept.forgetTable('one', 150)
    for (const value of ['first', 'second']) ask([value])
    expect(read).toEqual(['first', 'second', 'second'])
  })

  it('stores on the second read, if requested', () => {
    const { read, ask } = counting('one', undefined, 0, { onSecondRead: true })
    for (const value of [1, 2, 1, 1, 2, 2]) ask([value])
    expect(read).toEqual([1, 2, 1, 2])
  })

  it('stores nothing if too many other reads happen before the second one', () => {
    const { read, ask } = counting('one', undefined, 0, { onSecondRead: true })
    const many = Array.from({ length: 20_000 }, (_, value) => value)
    for (const value of many) ask([value])
    for (const value of many) ask([value])
    // Don't count reads that were replaced by another read with the same hash.
    for (const value of many) ask([value])
    expect(read.length).toBeGreaterThan(3 * many.length - 4096)
  })

  it('does not store missing rows', () => {
    const read: unknown[] = []
    const look = (values: readonly unknown[]) => void read.push(...values)
    const ask = createReadCache(() => false).cached({ table: 'one', sizeOf: () => 0, read: look })
    expect([ask([1]), ask([1]), read]).toEqual([undefined, undefined, [1, 1]])
  })

  it('reads again after another connection changes the file', () => {
    let changed = false
    const { read, ask } = counting(
      'one',
      createReadCache(() => changed),
    )
    ask([1])
    ask([1])
    changed = true
    ask([1])
    expect(read).toEqual([1, 1])
  })

  it('takes no more than four megabytes of memory', () => {
    const { kept, read, ask } = counting('one', undefined, 1_000_000)
    const other = counting('other', kept, 1_000_000)
    for (const value of [1, 2]) ask([value])
    for (const value of [1, 2]) other.ask([value])
    for (const value of [1, 2]) ask([value])
    expect(read).toEqual([1, 2])
    other.ask([3])
    ask([1])
    expect(read).toEqual([1, 2, 1])
  })
})
