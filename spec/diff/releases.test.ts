import { expect, test } from 'vitest'
import { classifyReleases } from './releases.ts'

const document = { info: { version: '2024-05-30' }, paths: {} }
const before = new Map([['2024-05-30', document]])
const today = '2026-11-21'
const classOf = (after: Map<string, unknown>, sunsets: Record<string, string>) =>
  classifyReleases(before, after, { today, sunsets }).get('2024-05-30')?.[0]?.class

test('a version that did not change is left out', () => {
  expect(classifyReleases(before, new Map(before)).size).toBe(0)
})

test('a date that is withdrawn without an announcement breaks', () => {
  expect(classOf(new Map(), {})).toBe('breaking')
})

test('a date that is withdrawn before its sunset breaks', () => {
  expect(classOf(new Map(), { '2024-05-30': '2026-11-22' })).toBe('breaking')
})

test('a date that is withdrawn after its sunset was deprecated before', () => {
  expect(classOf(new Map(), { '2024-05-30': '2026-11-21' })).toBe('deprecating')
})

test('a new date is additive', () => {
  const [change] = classifyReleases(new Map(), before).get('2024-05-30') ?? []
  expect(change?.rule).toBe('document-added')
})
