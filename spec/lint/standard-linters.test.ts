import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { loadFacts } from '../src/index.ts'
import { lintFilesWithRedocly } from './redocly.ts'

vi.setConfig({ testTimeout: 120_000 })

const versions = loadFacts().versions.map(({ id }) => id)
const files = new Map(
  [...versions, 'control'].map((id) => [id, fileURLToPath(new URL(`../dist/${id}.yaml`, import.meta.url))]),
)
const published = fileURLToPath(new URL('../dist/redocly.yaml', import.meta.url))

test('the published configuration for Redocly only turns off what the bundles need', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-admin-strict-'))
  try {
    const config = join(folder, 'redocly.yaml')
    writeFileSync(config, 'telemetry: "off"\nextends: [ recommended-strict ]\n')
    const found = new Set((await lintFilesWithRedocly(files, config)).map(({ rule }) => rule))
    const { rules, ...rest } = parse(readFileSync(published, 'utf8'))
    expect(rest).toEqual({ telemetry: 'off', extends: ['recommended-strict'] })
    expect(rules).toEqual(Object.fromEntries([...found].map((rule) => [rule, 'off'])))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('Redocly finds nothing in the newest document with the published configuration', async () => {
  const [newest = ''] = versions.slice(-1)
  expect(await lintFilesWithRedocly(new Map([[newest, files.get(newest) ?? '']]), published)).toEqual([])
})
