import { expect, test } from 'vitest'
import { loadDocument, loadFacts } from './index.ts'
import { versionNumberOf } from './version-number.ts'

test.each([
  ['2025-03-12', '2025.3.12'],
  ['2025.3.12', '2025.3.12'],
  ['v1.0', '1.0.0'],
  ['1.0', '1.0.0'],
  ['next', 'next'],
])('the number of %s is %s', (id, number) => {
  expect(versionNumberOf(id)).toBe(number)
})

test('the number of each document is a semantic version, which npm, PyPI and Cargo accept', () => {
  for (const { id } of loadFacts().versions) {
    expect(loadDocument(id).info.version).toBe(versionNumberOf(id))
    expect(loadDocument(id).info.version).toMatch(/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/)
  }
})
