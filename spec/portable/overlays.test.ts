import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundle } from '../build/bundle.ts'
import { splitProvenance } from '../build/provenance.ts'
import { readFacts } from '../build/sources.ts'
import type { OpenApiDocument } from '../src/model.ts'

const redocly = join(createRequire(import.meta.url).resolve('@redocly/cli/package.json'), '../bin/cli.js')
const folder = mkdtempSync(join(tmpdir(), 'svc-admin-overlay-'))
const { versions } = readFacts()
let documents = new Map<string, OpenApiDocument>()

const write = (name: string, content: unknown) => writeFileSync(join(folder, name), JSON.stringify(content))

/** Runs Redocly once for all documents because starting it takes longer than applying an overlay. */
beforeAll(async () => {
  documents = await bundle(versions)
  const apis = [...documents].map(([id, complete]) => {
    const { document, overlay } = splitProvenance(complete, id)
    write(`${id}.json`, document)
    write(`${id}.overlay.json`, overlay)
    const api = { root: `${id}.json`, overlays: [`${id}.overlay.json`], output: `${id}.complete.json` }
    return [id, api]
  })
  // The configuration can be written as JSON because JSON is also YAML.
  write('redocly.yaml', { apis: Object.fromEntries(apis) })
  await promisify(execFile)(process.execPath, [redocly, 'bundle'], {
    cwd: folder,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true }))

test.each(versions)('Redocly restores the complete document of $id from its overlay', ({ id }) => {
  expect(JSON.parse(readFileSync(join(folder, `${id}.complete.json`), 'utf8'))).toEqual(documents.get(id))
})
