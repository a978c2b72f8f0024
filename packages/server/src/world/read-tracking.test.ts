import { describe, expect, it } from 'vitest'
import { trackReads, untracked } from './read-tracking.ts'

const sent = { name: 'a', roles: ['x', 'y'], inner: { 'a/b': 1, deep: { c: true } } }

describe('a tracked value', () => {
  it('lists unread properties, without nested ones', () => {
    const { value, unread } = trackReads(sent)
    expect(unread()).toEqual(['/name', '/roles', '/inner'])
    expect(value.inner.deep.c).toBe(true)
    expect(unread()).toEqual(['/name', '/roles', '/inner/a~1b'])
    expect(value.roles[1]).toBe('y')
    expect(unread()).toEqual(['/name', '/roles/0', '/inner/a~1b'])
  })

  it.each([
    ['serialized', (value: unknown) => JSON.stringify(value)],
    ['copied', (value: object) => JSON.stringify({ ...value })],
  ])('is read completely when it is %s', (_, use) => {
    const { value, unread } = trackReads(sent)
    expect(JSON.parse(use(value))).toEqual(sent)
    expect(unread()).toEqual([])
  })

  it('is read completely by untracked()', () => {
    const { value, unread } = trackReads(sent)
    expect(untracked(value.inner)).toBe(sent.inner)
    expect(unread()).toEqual(['/name', '/roles'])
    expect(untracked(value)).toBe(sent)
    expect(unread()).toEqual([])
    expect([untracked(sent), untracked(null), untracked('text')]).toEqual([sent, null, 'text'])
  })

  it('is returned unchanged if it is no object', () => {
    for (const plain of [undefined, null, 5, 'text']) {
      const { value, unread } = trackReads(plain)
      expect([value, unread()]).toEqual([plain, []])
    }
  })

  it('is still an array', () => {
    const { value } = trackReads([1, 2])
    expect(Array.isArray(value)).toBe(true)
    expect(value.map((one) => one + 1)).toEqual([2, 3])
  })
})
