import { expect, test } from 'vitest'
import { classifyReleases } from './releases.ts'

const document = { info: { version: '2024-05-30' }, paths: {} }
const before = new Map([['2024-05-30', document]])
const today = '2026-11-21'
const classOf = (after: Map<string, unknown>, sunsets: Record<string, string>) =>
  classifyReleases(before, after, { today, sunsets }).get('2024-05-30')?.[0]?.class

test('omits unchanged versions', () => {
  expect(classifyReleases(before, new Map(before)).size).toBe(0)
})

test('reports a date removed without a sunset as breaking', () => {
  expect(classOf(new Map(), {})).toBe('breaking')
})

test('reports a date removed before its sunset as breaking', () => {
  expect(classOf(new Map(), { '2024-05-30': '2026-11-22' })).toBe('breaking')
})

test('reports a date removed after its sunset as deprecating', () => {
  expect(classOf(new Map(), { '2024-05-30': '2026-11-21' })).toBe('deprecating')
})

test('reports a new date as additive', () => {
  const [change] = classifyReleases(new Map(), before).get('2024-05-30') ?? []
  expect(change?.rule).toBe('document-added')
})
