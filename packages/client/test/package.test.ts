import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installPacked, type Packed } from './packed.ts'

const folder = mkdtempSync(join(tmpdir(), 'client-package-'))
const installed = join(folder, 'node_modules/@svc-admin/client')

let packed: Packed

// Packs and unpacks the package as npm does.
beforeAll(() => {
  packed = installPacked(folder)
})
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
    // The resolution of Node 10 doesn't support `exports`. No supported runtime or compiler uses it.
    expect(
      result.problems.filter((each) => !('resolutionKind' in each) || each.resolutionKind !== 'node10'),
    ).toEqual([])
  })

  test('is small, and depends only on openapi-fetch and the types of its paths', () => {
    expect(packed.unpackedSize).toBeLessThan(2_000_000)
    expect(packed.files.length).toBeLessThan(100)
    const manifest: object = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    expect(Object.keys(Object(manifest).dependencies)).toEqual(['@svc-admin/types', 'openapi-fetch'])
    for (const kind of ['peerDependencies', 'optionalDependencies']) expect(manifest).not.toHaveProperty(kind)
  })

  test('publishes the files of its exports, and no sources', () => {
    const paths = packed.files.map(({ path }) => path)
    for (const name of ['index', 'openapi-fetch', 'operations', 'testing']) {
      for (const end of ['.js', '.cjs', '.d.ts', '.d.cts']) expect(paths).toContain(`dist/${name}${end}`)
    }
    expect(paths.filter((path) => path.startsWith('src/') || path.includes('.test.'))).toEqual([])
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
})
