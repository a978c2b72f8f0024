import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { syncFolder } from './sync-folder.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('keeps unchanged files, and removes outdated files together with their empty folders', () => {
  syncFolder(
    folder,
    new Map([
      ['a/b.txt', '1'],
      ['c/d/e.txt', '2'],
    ]),
  )
  const before = statSync(join(folder, 'a/b.txt')).mtimeMs
  const done = syncFolder(
    folder,
    new Map([
      ['a/b.txt', '1'],
      ['f.txt', '3'],
    ]),
  )
  expect(done).toEqual({ written: 1, removed: 1 })
  expect(statSync(join(folder, 'a/b.txt')).mtimeMs).toBe(before)
  expect(existsSync(join(folder, 'c'))).toBe(false)
  expect(readFileSync(join(folder, 'f.txt'), 'utf8')).toBe('3')
})
