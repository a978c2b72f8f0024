import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'client-package-'))
const installed = join(folder, 'node_modules/@svc-admin/client')
const require = createRequire(import.meta.url)

interface Packed {
  readonly filename: string
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}
let packed: Packed

/** What is published, as npm packs it, unpacked where a consumer would have it. */
beforeAll(() => {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const listing: unknown = JSON.parse(
    execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }),
  )
  packed = (Array.isArray(listing) ? listing[0] : Object.values(Object(listing))[0]) as Packed
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', join(folder, packed.filename), '-C', installed, '--strip-components=1'])
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
    const home = require.resolve
      .paths(name)
      ?.map((path) => join(path, name))
      .find((path) => existsSync(path))
    symlinkSync(home ?? '', join(folder, 'node_modules', name))
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the package', () => {
  test('has no finding of publint', async () => {
    const { messages } = await publint({ pkgDir: installed, strict: true, pack: false })
    expect(messages).toEqual([])
  })

  test('has no finding of Are the types wrong, for either module format', async () => {
    const tarball = createPackageFromTarballData(readFileSync(join(folder, packed.filename)))
    const result = await checkPackage(tarball)
    if (!result.types) throw new Error('the package has no types')
    // Version 10 of Node's resolution knows no `exports`; no supported runtime or compiler needs it.
    expect(
      result.problems.filter((each) => !('resolutionKind' in each) || each.resolutionKind !== 'node10'),
    ).toEqual([])
  })

  test('is small, in files and bytes, and needs one package of types', () => {
    expect(packed.unpackedSize).toBeLessThan(2_000_000)
    expect(packed.files.length).toBeLessThan(100)
    const { dependencies }: { dependencies: object } = JSON.parse(
      readFileSync(join(installed, 'package.json'), 'utf8'),
    )
    expect(Object.keys(dependencies)).toEqual(['openapi-fetch'])
  })

  test('publishes what its exports name, and no sources', () => {
    const paths = packed.files.map(({ path }) => path)
    for (const name of ['index', 'operations', 'testing']) {
      for (const end of ['.js', '.cjs', '.d.ts', '.d.cts']) expect(paths).toContain(`dist/${name}${end}`)
    }
    expect(paths.filter((path) => path.startsWith('src/') || path.includes('.test.'))).toEqual([])
  })
})

const program = `
import { createClient, isErrorCode, type v2024_05_30 } from '@svc-admin/client'
import { createHandlers, createStubFetch } from '@svc-admin/client/testing'
import { listAlerts } from '@svc-admin/client/operations'

const { fetch } = createStubFetch(createHandlers<'2024-05-30'>())
const client = createClient({ baseUrl: 'https://cloud.example.com', version: '2024-05-30', fetch })
async function main(): Promise<void> {
  const alert: v2024_05_30.Alert = await client.getAlert({ groupId: 'a', alertId: 'b' })
  const { data } = await client.GET('/groups/{groupId}/alerts', { params: { path: { groupId: 'a' } } })
  for await (const each of client.listAlerts.items({ groupId: 'a' })) console.log(each.id === alert.id)
  console.log(data?.results?.length, listAlerts.id, isErrorCode(new Error(), 'RATE_LIMITED'))
}
void main()
`

describe('a consumer', () => {
  test.each([
    ['modules under nodenext', 'main.mts', 'nodenext', 'nodenext'],
    ['CommonJS under nodenext', 'main.cts', 'nodenext', 'nodenext'],
    ['a bundler', 'main.ts', 'esnext', 'bundler'],
  ])('compiles without skipLibCheck as %s', (_, file, module, moduleResolution) => {
    writeFileSync(join(folder, file), program)
    const lib = ['es2022', 'dom', 'dom.iterable']
    const strictness = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false }
    const compilerOptions = {
      ...strictness,
      noEmit: true,
      target: 'es2022',
      types: [],
      lib,
      module,
      moduleResolution,
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
    const compiler = require.resolve('typescript/bin/tsc')
    expect(spawnSync(process.execPath, [compiler], { cwd: folder, encoding: 'utf8' }).stdout).toBe('')
  })

  test.each([
    ['import', 'run.mjs', "import { createClient, ApiError } from '@svc-admin/client'"],
    ['require', 'run.cjs', "const { createClient, ApiError } = require('@svc-admin/client')"],
  ])('loads it with %s', (_, file, line) => {
    writeFileSync(join(folder, file), `${line}\nconsole.log(typeof createClient, typeof ApiError)`)
    const printed = execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' })
    expect(printed.trim()).toBe('function function')
  })
})
