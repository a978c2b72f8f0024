import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildIfChanged, digestOf } from '../digest.mjs'
import { syncFolder } from './site/sync-folder.ts'

let out = ''
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'svc-admin-docs-'))
})
afterEach(() => rmSync(out, { recursive: true, force: true }))

const site = (path: string) => join(out, 'site', path)

const small = new Map([
  ['index.html', 'start'],
  ['guides/paging/index.html', 'paging'],
])

/**
 * Builds a site with two pages. Returns the number of files that were written, or nothing if the site is up to date.
 */
const build = async (files = small, unknown: readonly string[] = [], digest = 'one') =>
  (
    await buildIfChanged({
      out,
      digest,
      build: () => ({ ...syncFolder(join(out, 'site'), files), unknown }),
    })
  )?.written

const run = (...args: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, '../build.mjs'), ...args], { encoding: 'utf8' })

test('builds again only if the inputs or the files changed', async () => {
  expect(await build()).toBe(2)
  expect(await build()).toBeUndefined()
  expect(await build(small, [], 'two')).toBe(0)
})

test('removes files that are not part of the site', async () => {
  await build()
  mkdirSync(site('guides/leftover'))
  writeFileSync(site('guides/leftover/index.html'), '')
  expect(await build()).toBe(0)
  expect(existsSync(site('guides/leftover'))).toBe(false)
})

test('restores missing and damaged files', async () => {
  await build()
  rmSync(site('guides/paging'), { recursive: true })
  expect(await build()).toBe(1)
  writeFileSync(site('index.html'), 'broken')
  expect(await build()).toBe(1)
  expect(readFileSync(site('index.html'), 'utf8')).toBe('start')
})

test('repeats a failed build', async () => {
  await build()
  const failing = () => {
    throw new Error('no report')
  }
  await expect(buildIfChanged({ out, digest: 'two', build: failing })).rejects.toThrow('no report')
  expect(await build()).toBe(0)
  expect(await build(small, ['unknown'], 'three')).toBe(0)
  expect(await build(small, [], 'three')).toBe(0)
  expect(await build(small, [], 'three')).toBeUndefined()
})

test('a digest depends on names, contents and options', () => {
  const file = join(out, 'page.md')
  const other = join(out, 'other.md')
  writeFileSync(file, 'text')
  writeFileSync(other, 'text')
  const first = digestOf([out], ['origin'])
  expect(digestOf([out], ['origin'])).toBe(first)
  expect(digestOf([out], ['other'])).not.toBe(first)
  writeFileSync(file, 'texts')
  expect(digestOf([out], ['origin'])).not.toBe(first)
  writeFileSync(file, 'text')
  rmSync(other)
  expect(digestOf([out], ['origin'])).not.toBe(first)
})

test('fails for an invalid report, and writes nothing', () => {
  const report = join(out, 'report.json')
  writeFileSync(report, 'no JSON')
  expect(run('--out', out, '--report', report).status).toBe(1)
  expect(existsSync(join(out, 'site'))).toBe(false)
})

test('reports invalid options in one line', () => {
  expect(run('--help')).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringContaining('--report'),
  })
  expect(run('--bogus')).toMatchObject({
    status: 2,
    stderr: "Unknown option '--bogus': run --help for the options\n",
  })
})
