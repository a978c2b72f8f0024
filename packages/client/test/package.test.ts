import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installPacked, type Packed } from './packed.ts'

const folder = mkdtempSync(join(tmpdir(), 'client-package-'))
const installed = join(folder, 'node_modules/@svc-admin/client')

let packed: Packed

// Pack the package and unpack it, in the same way as npm.
beforeAll(() => {
  packed = installPacked(folder)
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the package', () => {
  test('has no publint findings', async () => {
    const { messages } = await publint({ pkgDir: installed, strict: true, pack: false })
    expect(messages).toEqual([])
  })

  test('has no findings of Are the Types Wrong, for both module formats', async () => {
    const tarball = createPackageFromTarballData(readFileSync(join(folder, packed.filename)))
    const result = await checkPackage(tarball)
    if (!result.types) throw new Error('the package has no types')
    expect(result.problems).toEqual([])
  })

  test('is small, and depends only on openapi-fetch and the types of its paths', () => {
    expect(packed.unpackedSize).toBeLessThan(2_000_000)
    const runnable = packed.files.filter(({ path }) => !/\.map$|^dist\/sources\//.test(path))
    expect(runnable.length).toBeLessThan(120)
    const manifest: { dependencies: object } = JSON.parse(
      readFileSync(join(installed, 'package.json'), 'utf8'),
    )
    expect(Object.keys(manifest.dependencies)).toEqual(['@svc-admin/types', 'openapi-fetch'])
    for (const kind of ['peerDependencies', 'optionalDependencies']) expect(manifest).not.toHaveProperty(kind)
  })

  test('publishes the files of its exports, and no sources', () => {
    const paths = packed.files.map(({ path }) => path)
    for (const name of ['index', 'openapi-fetch', 'operations', 'testing', 'webhooks']) {
      for (const end of ['.js', '.cjs', '.d.ts', '.d.cts']) expect(paths).toContain(`dist/${name}${end}`)
    }
    expect(paths.filter((path) => path.startsWith('src/') || path.includes('.test.'))).toEqual([])
    expect(paths).toContain('CHANGELOG.md')
  })

  test('has a map for each of its files, with sources that are published or in the map', () => {
    const paths = packed.files.map(({ path }) => path)
    const compiled = paths.filter((path) => /\.c?js$|types\/[^/]*\.d\.ts$|openapi-fetch\.d\.c?ts$/.test(path))
    expect(compiled.length).toBeGreaterThan(50)
    for (const path of compiled) {
      const text = readFileSync(join(installed, path), 'utf8')
      const [, name = ''] = /\/\/# sourceMappingURL=(.*)\s*$/.exec(text) ?? expect.fail(path)
      const map: { sources: string[]; sourcesContent?: (string | null)[] } = JSON.parse(
        readFileSync(join(installed, 'dist', path.includes('/types/') ? 'types' : '', name), 'utf8'),
      )
      for (const [index, source] of map.sources.entries()) {
        if (map.sourcesContent?.[index]) continue
        expect(existsSync(join(installed, path, '..', source)), `${path}: ${source}`).toBe(true)
      }
    }
  })
})

describe('a consumer', () => {
  test.each([
    ['import', 'run.mjs', "import { createClient, ApiError } from '@svc-admin/client'"],
    ['require', 'run.cjs', "const { createClient, ApiError } = require('@svc-admin/client')"],
  ])('loads it with %s', (_, file, line) => {
    writeFileSync(join(folder, file), `${line}\nconsole.log(typeof createClient, typeof ApiError)`)
    const printed = execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' })
    expect(printed.trim()).toBe('function function')
  })

  test('recognizes the errors of its CommonJS copy in an ES module, and the other way round', () => {
    const lines = `
const run = async (thrower, checker) => {
  const status = (code) => new Response('{"errorCode":"SNAPSHOT_IN_PROGRESS"}', { status: code })
  const client = (fetch) => thrower.createClient({ baseUrl: 'https://cloud.example.com', version: '2024-05-30', fetch, retry: { maxRetries: 0 } })
  const caught = (fetch) => client(fetch).getAlert({ groupId: 'a', alertId: 'b' }).catch((error) => error)
  const conflict = await caught(async () => status(409))
  const broken = await caught(async () => { throw new TypeError('reset') })
  class Mine extends checker.ApiError {}
  class ConflictError extends checker.ApiError {}
  const names = (error) => Object.entries(checker).filter(([name, each]) => /Error$/.test(name) && error instanceof each).map(([name]) => name)
  return [
    thrower !== checker, names(conflict), names(broken), names(new Error()), names({}), names(null),
    checker.isErrorCode(conflict, 'SNAPSHOT_IN_PROGRESS'), conflict instanceof Mine, conflict instanceof ConflictError,
    new Mine({ operationId: 'a' }, { status: 409 }) instanceof checker.ApiError,
  ]
}
`
    const expected = [
      ...[true, ['ApiError', 'ClientError', 'ConflictError'], ['ClientError', 'NetworkError'], [], [], []],
      ...[true, false, false, true],
    ]
    writeFileSync(
      join(folder, 'copies.mjs'),
      `import * as modules from '@svc-admin/client'
import { createRequire } from 'node:module'
const common = createRequire(import.meta.url)('@svc-admin/client')
${lines}
console.log(JSON.stringify([await run(common, modules), await run(modules, common)]))`,
    )
    const printed = execFileSync(process.execPath, ['copies.mjs'], { cwd: folder, encoding: 'utf8' })
    expect(JSON.parse(printed)).toEqual([expected, expected])
  })
})
