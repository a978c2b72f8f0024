import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fingerprintOfSources, isUpToDate } from './fingerprint.ts'
import { root } from './read-yaml.ts'

const copy = mkdtempSync(join(tmpdir(), 'svc-admin-sources-'))
afterAll(() => rmSync(copy, { recursive: true }))

test('changes with the name and the content of a source, and with nothing else', () => {
  cpSync(root, copy, { recursive: true, filter: (path) => !/\/(node_modules|dist)$/.test(path) })
  const before = fingerprintOfSources()
  expect(fingerprintOfSources(copy)).toBe(before)
  writeFileSync(join(copy, 'build/own.test.ts'), '')
  expect(fingerprintOfSources(copy)).toBe(before)
  renameSync(join(copy, 'shared/token.yaml'), join(copy, 'shared/tokens.yaml'))
  const renamed = fingerprintOfSources(copy)
  expect(renamed).not.toBe(before)
  writeFileSync(join(copy, 'shared/tags.yaml'), '[]')
  expect(fingerprintOfSources(copy)).not.toBe(renamed)
})

test('a folder without a fingerprint is not up to date', () => {
  expect(isUpToDate(copy)).toBe(false)
})
