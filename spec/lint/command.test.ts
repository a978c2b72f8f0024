import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { root } from '../build/read-yaml.ts'
import { loadFacts } from '../src/index.ts'
import { edited } from './edit.ts'
import { expand, goodDocument } from './good-document.ts'
import { loadRules } from './rules.ts'

vi.setConfig({ testTimeout: 120_000 })

const repository = join(root, '..')
const command = createRequire(import.meta.url).resolve('@stoplight/spectral-cli/dist/index.js')
const folder = mkdtempSync(join(tmpdir(), 'svc-admin-spectral-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Result {
  code: string
  source: string
  range: { start: { line: number } }
}

/** Runs `spectral lint` in the repository, as the README describes. */
function run(files: string[], options: string[] = []): Promise<Result[]> {
  return new Promise((resolve, reject) => {
    const all = [command, 'lint', '--format', 'json', '--quiet', ...options, ...files]
    execFile(process.execPath, all, { cwd: repository, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      if (stdout.startsWith('[')) resolve(JSON.parse(stdout))
      else reject(error ?? new Error(stderr))
    })
  })
}

function write(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** Returns each result's rule and the text of its line. */
function linesOf(results: Result[], path: string): [string, string][] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return results
    .filter(({ source }) => source === path)
    .map(({ code, range }) => [code, lines[range.start.line]?.trim() ?? ''])
}

test('the command finds defects in a bundle and its sources, and none in a published document', async () => {
  const summary = { 'ALERT/get/summary': 'Returns an alert' }
  const bundle = write(
    'bundle.json',
    JSON.stringify(edited(goodDocument(), { set: summary }, expand), null, 2),
  )
  const sources = join(folder, 'sources')
  for (const part of ['shared', 'v2/2023-01-01'])
    cpSync(join(root, part), join(sources, part), { recursive: true })
  const item = join(sources, 'v2/2023-01-01/paths/alerts.yaml')
  writeFileSync(item, readFileSync(item, 'utf8').replace('summary: List alerts', 'summary: Returns alerts'))
  const schema = write(
    'Name.yaml',
    'type: string\ndescription: A name.\nx-strength: stated\nx-source: "2.3"\n',
  )
  // The published document has no provenance.
  const published = join(root, 'dist/v1.0.json')
  const results = await run([bundle, item, schema, published])
  expect(linesOf(results, bundle)).toEqual([['summary-form', '"summary": "Returns an alert",']])
  expect(linesOf(results, item)).toEqual([['summary-form', 'summary: Returns alerts']])
  expect(linesOf(results, schema)).toEqual([['string-bounds', 'type: string']])
  expect(linesOf(results, published)).toEqual([])
})

test('another API that extends the ruleset gets the rules that fit any API', async () => {
  // This folder has the same structure as if npm had installed the package.
  mkdirSync(join(folder, 'node_modules/@svc-admin'), { recursive: true })
  symlinkSync(root, join(folder, 'node_modules/@svc-admin/spec'))
  const ruleset = write(
    '.spectral.yaml',
    'extends: ["@svc-admin/spec/spectral"]\nrules: { description-present: off }\n',
  )
  const museum = readFileSync(new URL('fixtures/minimal.yaml', import.meta.url), 'utf8')
  const document = write(
    'museum.yaml',
    museum.replace('number: { type: integer }', 'number: { default: a, type: integer }'),
  )
  const found = new Set((await run([document], ['--ruleset', ruleset])).map(({ code }) => code))
  expect(found).toContain('examples-valid')
  expect(found).toContain('summary-form')
  const ours = (await loadRules()).filter(({ scope }) => scope === 'ours').map(({ id }) => id)
  expect([...found].filter((code) => code === 'description-present' || ours.includes(code))).toEqual([])
})

test('all rules of spectral:oas find nothing in the newest document and the control interface', async () => {
  const ruleset = write('all.yaml', 'extends: [ [ "spectral:oas", all ] ]\n')
  const newest = loadFacts().versions.at(-1)?.id
  const files = [newest, 'control'].map((id) => join(root, `dist/${id}.json`))
  expect(await run(files, ['--ruleset', ruleset])).toEqual([])
})
