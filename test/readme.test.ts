import { execFile } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningServer, startServer } from '@svc-admin/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { repository } from './story/copy.ts'

// The TypeScript blocks in every README must compile and run against the demo organization's server.
const pages = ['README.md', 'spec/README.md', ...readmes('packages')]
const folder = mkdtempSync(join(tmpdir(), 'svc-admin-readme-'))

function readmes(parent: string): string[] {
  const folders = readdirSync(join(repository, parent))
  return folders.map((name) => `${parent}/${name}/README.md`).filter((page) => textOf(page) !== '')
}

function textOf(page: string): string {
  try {
    return readFileSync(join(repository, page), 'utf8')
  } catch {
    return ''
  }
}

/** The client's README is excluded, because `client-readme.test.ts` tests it with its own setup. */
const elsewhere = 'packages/client/README.md'
const blocksOf = (page: string): string[] =>
  [...textOf(page).matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
/** A page's blocks form a single program, because later blocks can use names from earlier blocks. */
const programs = pages
  .filter((page) => page !== elsewhere && blocksOf(page).length > 0)
  .map((page) => ({ name: page, code: blocksOf(page).join('\n') }))

let server: RunningServer
beforeAll(async () => {
  server = await startServer({ sandbox: true, docs: join(repository, 'packages/docs/dist/site') })
  mkdirSync(join(folder, 'node_modules'))
  for (const name of ['@svc-admin', '@types', 'openapi-fetch', 'openapi-typescript-helpers', 'vitest'])
    symlinkSync(join(repository, 'node_modules', name), join(folder, 'node_modules', name))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const run = (args: readonly string[]): Promise<{ printed: string; failed: boolean }> =>
  new Promise((resolve) =>
    execFile(process.execPath, args, { cwd: folder, timeout: 120_000 }, (error, stdout, stderr) =>
      resolve({ printed: `${stdout}${stderr}`, failed: error !== null }),
    ),
  )

const fileOf = (name: string) => `${name.replaceAll(/\W+/g, '-')}.ts`
const here = (code: string) =>
  code
    .replaceAll('http://127.0.0.1:8080', server.url)
    .replaceAll('http://127.0.0.1:8081', server.controlUrl ?? '')

test("every package's README has a runnable block", () => {
  const shown = ['client', 'contract', 'docs', 'server', 'types'].map((name) => `packages/${name}/README.md`)
  for (const page of ['README.md', 'spec/README.md', ...shown]) expect(blocksOf(page), page).not.toEqual([])
})

test('every block compiles', async () => {
  for (const { name, code } of programs) writeFileSync(join(folder, fileOf(name)), here(code))
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    strict: true,
    // The linked packages' dependencies aren't linked. publish.test.ts checks the packages' declarations.
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
    preserveSymlinks: true,
  }
  const files = programs.map(({ name }) => fileOf(name))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  const compiler = join(repository, 'node_modules/typescript/bin/tsc')
  expect(await run([compiler, '-p', 'tsconfig.json'])).toEqual({ printed: '', failed: false })
})

test.each(programs)('$name runs', async ({ name, code }) => {
  writeFileSync(join(folder, fileOf(name)), here(code))
  const ended = await run(['--import', join(repository, 'node_modules/tsx/dist/loader.mjs'), fileOf(name)])
  expect(ended.failed, ended.printed).toBe(false)
})
