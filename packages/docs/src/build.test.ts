import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const out = mkdtempSync(join(tmpdir(), 'svc-admin-docs-'))
afterAll(() => rmSync(out, { recursive: true, force: true }))

const build = (...args: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, '../build.mjs'), ...args], { encoding: 'utf8' })

test('removes files that are not part of the site', () => {
  expect(build('--out', out).stdout).toMatch(/^\d+ pages/)
  expect(build('--out', out).stdout).toMatch(/^The site is up to date/)
  const leftover = join(out, 'site/guides/leftover')
  mkdirSync(leftover)
  writeFileSync(join(leftover, 'index.html'), '')
  expect(build('--out', out).stdout).toMatch(/^\d+ pages \(0 files written\)/)
  expect(existsSync(leftover)).toBe(false)
  rmSync(join(out, 'site/guides/paging'), { recursive: true })
  expect(build('--out', out).stdout).toMatch(/^\d+ pages \(1 files written\)/)
})

test('restores damaged files, and repeats a failed build', () => {
  build('--out', out)
  const index = join(out, 'site/index.html')
  const whole = readFileSync(index, 'utf8')
  writeFileSync(index, 'broken')
  expect(build('--out', out).stdout).toMatch(/^\d+ pages \(1 files written\)/)
  expect(readFileSync(index, 'utf8')).toBe(whole)
  const report = join(out, 'report.json')
  writeFileSync(report, 'no JSON')
  expect(build('--out', out, '--report', report).status).toBe(1)
  expect(build('--out', out).stdout).toMatch(/^\d+ pages/)
  expect(build('--out', out).stdout).toMatch(/^The site is up to date/)
})

test('reports invalid options in one line', () => {
  expect(build('--help')).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringContaining('--report'),
  })
  expect(build('--bogus')).toMatchObject({
    status: 2,
    stderr: "Unknown option '--bogus': run --help for the options\n",
  })
})
