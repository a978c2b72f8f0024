import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { installToolbox } from '../../scripts/toolbox.ts'
import { bundles } from './bundles.ts'
import { runTool, type ToolRun } from './run-tool.ts'

// The first run installs the tools.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 })

const folder = mkdtempSync(join(tmpdir(), 'svc-admin-portable-'))
let tools = ''

beforeAll(async () => {
  tools = join(await installToolbox(new URL('tools/', import.meta.url)), 'node_modules/.bin')
  // The generators read the module type from the nearest package.json.
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function expectClean({ code, output }: ToolRun): void {
  expect(output).not.toMatch(/\b(warn(ing)?|error|fail(ed)?|unsupported|deprecated)\b/i)
  expect(code).toBe(0)
}

test('@hey-api/openapi-ts accepts all bundles without a warning', async () => {
  // With `auth: true`, the generator would warn about every document with Digest, because its SDK doesn't support it.
  const plugins = ['@hey-api/typescript', '@hey-api/client-fetch', { name: '@hey-api/sdk', auth: false }]
  const jobs = bundles.map(({ version, file }) => ({
    input: file,
    output: join(folder, 'hey-api', version),
    plugins,
  }))
  const config = join(folder, 'hey-api.config.mjs')
  writeFileSync(config, `export default ${JSON.stringify(jobs)}\n`)
  expectClean(await runTool(join(tools, 'openapi-ts'), ['-f', config], folder))
  for (const { output } of jobs) expect(existsSync(join(output, 'sdk.gen.ts'))).toBe(true)
})

test('orval accepts all bundles without a warning', async () => {
  const projects = bundles.map(({ version, file }) => {
    const target = join(folder, 'orval', `${version}.ts`)
    return [version, { input: { target: file }, output: { target, client: 'fetch' } }] as const
  })
  const config = join(folder, 'orval.config.cjs')
  writeFileSync(config, `module.exports = ${JSON.stringify(Object.fromEntries(projects))}\n`)
  expectClean(await runTool(join(tools, 'orval'), ['--config', config], folder))
  for (const [, { output }] of projects) expect(existsSync(output.target)).toBe(true)
})

test('the generated code compiles', async () => {
  const compilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'Bundler',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: [],
  }
  const include = ['hey-api/**/*.ts', 'orval/*.ts']
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }))
  // TypeScript 7 is five times as fast as earlier versions.
  const compiler = createRequire(import.meta.url).resolve('typescript-7/package.json')
  const { code, output } = await runTool(join(compiler, '../bin/tsc'), ['-p', folder], folder)
  expect(output).toBe('')
  expect(code).toBe(0)
})
