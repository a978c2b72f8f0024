import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writePieces } from './pieces.ts'

test('writes all pieces in order, and replaces the file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'contract-pieces-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'report')
  const pieces = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(700_000))
  for (const some of [pieces, ['short', ''], []]) {
    writePieces(file, some)
    expect(readFileSync(file, 'utf8') === some.join('')).toBe(true)
  }
})
