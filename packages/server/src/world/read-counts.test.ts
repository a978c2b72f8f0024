import { describe, expect, it } from 'vitest'
import { createReadCounts, reachedStatesLimit } from './read-counts.ts'

const read = (counts: ReturnType<typeof createReadCounts>, key: string, now: number, wanted = 1) =>
  counts.count(key, wanted, now, new Set())

describe('counts of reads', () => {
  it('count a request once, and know when there have been enough', () => {
    const counts = createReadCounts()
    const seen = new Set<string>()
    expect([counts.count('a', 1, 5, seen), counts.count('a', 1, 6, seen)]).toEqual([undefined, undefined])
    expect([counts.reachedAt('a'), read(counts, 'a', 7), read(counts, 'a', 8)]).toEqual([undefined, 7, 7])
    expect([counts.drainNew(), counts.drainNew()]).toEqual([[['a', 7]], []])
    expect(counts.reachedAt('a')).toBe(7)
  })

  it('retain new entries when stored ones replace the rest', () => {
    const counts = createReadCounts()
    for (const key of ['a', 'b']) read(counts, key, 1, 0)
    const taken = counts.drainNew()
    read(counts, 'c', 2, 0)
    counts.replace([['d', 3]])
    expect(['a', 'c', 'd'].map(counts.reachedAt)).toEqual([undefined, 2, 3])
    counts.restoreNew(taken)
    expect(counts.drainNew()).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 2],
    ])
  })

  it('evict the oldest entries first', () => {
    const counts = createReadCounts()
    for (let at = 0; at <= reachedStatesLimit; at += 1) read(counts, `${at}`, at, 0)
    expect([counts.reachedAt('0'), counts.reachedAt('1'), counts.reachedAt(`${reachedStatesLimit}`)]).toEqual(
      [undefined, 1, reachedStatesLimit],
    )
    for (let at = 0; at <= 20_000; at += 1) read(counts, `counted ${at}`, at)
    expect(counts.reachedAt('1')).toBe(1)
  })

  it('go back with the clock', () => {
    const counts = createReadCounts()
    read(counts, 'a', 1, 0)
    read(counts, 'b', 3, 0)
    counts.rewind(2)
    expect([counts.reachedAt('a'), counts.reachedAt('b'), counts.drainNew()]).toEqual([
      1,
      undefined,
      [['a', 1]],
    ])
    counts.clear()
    expect([counts.reachedAt('a'), counts.drainNew()]).toEqual([undefined, []])
  })
})
