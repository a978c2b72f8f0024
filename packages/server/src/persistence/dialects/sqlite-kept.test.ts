import { describe, expect, it } from 'vitest'
import { createKept } from './sqlite-kept.ts'

/** A reading that counts how often it was done. */
function counting(table = 'one', kept = createKept(() => false), size = 0) {
  const read: unknown[] = []
  const ask = kept.keeping(
    table,
    () => size,
    (values) => read.push(...values),
  )
  return { kept, read, ask }
}

describe('what is kept of a file', () => {
  it('is read once for the same values', () => {
    const { read, ask } = counting()
    expect([ask([1]), ask([1]), ask([2]), ask(['1'])]).toEqual([1, 1, 2, 3])
    expect(read).toEqual([1, 2, '1'])
  })

  it('is read again after a change of its table, and not after one of another', () => {
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

  it('is read again if somebody else has changed the file', () => {
    let changed = false
    const { read, ask } = counting(
      'one',
      createKept(() => changed),
    )
    ask([1])
    ask([1])
    changed = true
    ask([1])
    expect(read).toEqual([1, 1])
  })

  it('takes no more memory than four megabytes', () => {
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
