import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fingerprintFile, staleBuild } from '../scripts/built.mjs'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stale-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const build = (workspace: string, fingerprint: string) => {
  mkdirSync(join(folder, workspace, 'dist'), { recursive: true })
  writeFileSync(join(folder, workspace, 'dist', fingerprintFile), fingerprint)
}

test('missing and mismatched builds are reported with the command that rebuilds', () => {
  expect(staleBuild(folder)).toBe("The specification isn't built. Run `npm run build`.")
  build('spec', 'one')
  expect(staleBuild(folder)).toBe("The types aren't built. Run `npm run build`.")
  build('packages/types', 'other')
  expect(staleBuild(folder)).toBe(
    'The types and the specification were not built from the same sources. Run `npm run build`.',
  )
  build('packages/types', 'one')
  expect(staleBuild(folder)).toBeUndefined()
})

test('the builds of this checkout belong together', () => {
  expect(staleBuild()).toBeUndefined()
})
