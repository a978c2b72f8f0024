import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { loadFacts } from '../src/index.ts'
import { lintFilesWithRedocly } from './redocly.ts'

vi.setConfig({ testTimeout: 120_000 })

const versions = loadFacts().versions.map(({ id }) => id)
const files = new Map(
  [...versions, 'control'].map((id) => [id, fileURLToPath(new URL(`../dist/${id}.yaml`, import.meta.url))]),
)
const published = fileURLToPath(new URL('../dist/redocly.yaml', import.meta.url))

test('Redocly with recommended-strict finds nothing with the published configuration', async () => {
  expect(await lintFilesWithRedocly(files, published)).toEqual([])
})

test('the published configuration for Redocly only turns off what the bundles need', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-admin-strict-'))
  try {
    const config = join(folder, 'redocly.yaml')
    writeFileSync(config, 'telemetry: "off"\nextends: [ recommended-strict ]\n')
    const findings = await lintFilesWithRedocly(files, config)
    const rules = ['no-ambiguous-paths', 'no-invalid-media-type-examples', 'no-invalid-schema-examples']
    expect([...new Set(findings.map(({ rule }) => rule))].sort()).toEqual(rules)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
