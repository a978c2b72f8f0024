import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installToolbox } from '../scripts/toolbox.ts'
import { repository } from './story/copy.ts'

// Installs the packed packages into an empty project, where nothing can hide a missing dependency.
const packages = ['spec', 'packages/types', 'packages/client', 'packages/contract', 'packages/server']
const folder = mkdtempSync(join(tmpdir(), 'svc-admin-publish-'))
const installed = (name: string) => join(folder, 'node_modules/@svc-admin', name.replace('packages/', ''))
const textOf = (path: string) => readFileSync(join(folder, 'node_modules/@svc-admin', path), 'utf8')
// Packing temporarily changes the manifests, so the packages are packed from a copy.
const copy = mkdtempSync(join(tmpdir(), 'svc-admin-packed-'))
let tarballs: string[] = []

interface Ended {
  readonly printed: string
  readonly failed: boolean
}

const run = (program: string, args: readonly string[], cwd = folder): Promise<Ended> =>
  new Promise((resolve) =>
    execFile(program, args, { cwd, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ printed: `${stdout}${stderr}`, failed: error !== null }),
    ),
  )

beforeAll(async () => {
  const each = packages.flatMap((name) => ['-w', name])
  for (const part of ['package.json', 'scripts', ...packages]) {
    const filter = (path: string) => !path.includes('node_modules')
    cpSync(join(repository, part), join(copy, part), { recursive: true, filter })
  }
  const packed = await run('npm', ['pack', '--pack-destination', folder, ...each], copy)
  if (packed.failed) throw new Error(packed.printed)
  tarballs = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'stranger', private: true, type: 'module' }),
  )
  const installation = [
    'install',
    // Without this flag, npm only warns about packages that don't support this version of Node.js.
    '--engine-strict',
    '--no-audit',
    '--no-fund',
    ...tarballs.map((name) => `./${name}`),
    '@types/node@20',
  ]
  const ended = await run('npm', installation)
  if (ended.failed) throw new Error(ended.printed)
}, 300_000)
afterAll(() => {
  for (const each of [copy, folder]) rmSync(each, { recursive: true, force: true })
})

/** A program that uses all five packages and prints the results. */
const program = `
import { createClient } from '@svc-admin/client'
import { demoTarget, openKit } from '@svc-admin/contract'
import { startServer } from '@svc-admin/server'
import { loadDemo, loadDocument } from '@svc-admin/spec'
import { operations } from '@svc-admin/types'
import type { components } from '@svc-admin/types/2025-03-12'

const server = await startServer({ sandbox: true })
try {
  const demo = loadDemo()
  const account = demo.serviceAccounts?.find((one) => one.label === 'Project owner')
  const credentials = { clientId: String(account?.clientId), clientSecret: String(account?.clientSecret) }
  const client = createClient({ baseUrl: server.url, credentials, version: '2025-03-12' })
  const page = await client.listAlerts({ groupId: String(demo.projects?.[0]?.id) })
  const first: components['schemas']['Alert'] | undefined = page.results?.[0]
  const kit = await openKit({ target: demoTarget({ baseUrl: server.url }), selection: { operations: ['getAlert'] } })
  console.log(JSON.stringify({
    alerts: page.totalCount,
    status: first?.status,
    path: operations.listAlerts.path,
    openapi: loadDocument('v1.0').openapi,
    kit: typeof kit,
  }))
} finally {
  await server.stop()
}
`
const printed = {
  alerts: 2,
  status: 'OPEN',
  path: '/groups/{groupId}/alerts',
  openapi: '3.1.0',
  kit: 'object',
}

/** A program that sends a request to a server without a sandbox, with credentials from a seed. */
const own = `
import { createClient } from '@svc-admin/client'
import { startServer } from '@svc-admin/server'

const { groupId, credentials, ...options } = JSON.parse(process.argv[2])
const server = await startServer(options)
try {
  const client = createClient({ baseUrl: server.url, credentials, version: '2025-03-12' })
  console.log((await client.listAlerts({ groupId })).totalCount)
} finally {
  await server.stop()
}
`

/** Imports in a CommonJS file, in which older compilers reject the types of an ES module. */
const common = `
import { createClient, type v2025_03_12 } from '@svc-admin/client'
import { operations, type OperationId } from '@svc-admin/types'
import type { components } from '@svc-admin/types/2025-03-12'
import type { paths } from '@svc-admin/types/newest'
import type { components as First } from '@svc-admin/types/v1.0'
import types = require('@svc-admin/types')

const id: OperationId = types.operations.listAlerts.id
const path: keyof paths = types.operations.listAlerts.path
declare const alert: components['schemas']['Alert']
const same: v2025_03_12.Alert = alert
const status: First['schemas']['Alert']['status'] = types.states.alert.initial
export = { createClient, id, same, status, path, summary: operations.listAlerts.summary }
`

describe('an empty project with the packages installed', () => {
  test('has the commands of the kit and the server', async () => {
    for (const [command, says] of [
      ['contract', 'contract <command>'],
      ['svc-admin-seed', 'svc-admin-seed [--database <text>]'],
      ['svc-admin-server', 'svc-admin-server [options]'],
    ] as const) {
      const help = await run(process.execPath, [join(folder, 'node_modules/.bin', command), '--help'])
      expect(help).toMatchObject({ failed: false, printed: expect.stringContaining(says) })
    }
  })

  test('starts a server with the organization of the README', async () => {
    const [, page = ''] = textOf('server/README.md').split('## The first organization')
    const [, seed = ''] = /```json\n([^`]+)```/.exec(page) ?? []
    const [, command = '', file = ''] = /^npx (svc-admin-seed .*) < (.*)$/m.exec(page) ?? []
    const [, database = ''] = /^npx svc-admin-server --database (.*)$/m.exec(page) ?? []
    writeFileSync(join(folder, file), seed)
    const put = await run('sh', ['-c', `node_modules/.bin/${command} < ${file}`])
    expect(put).toEqual({ failed: false, printed: expect.stringContaining('1 organizations') })
    const { publicKey, privateKey } = JSON.parse(seed).apiKeys[0]
    const given = { database, seedDemo: false, groupId: JSON.parse(seed).projects[0].id }
    writeFileSync(join(folder, 'own.mjs'), own)
    const values = JSON.stringify({ ...given, credentials: { publicKey, privateKey } })
    expect(await run(process.execPath, ['own.mjs', values])).toEqual({ failed: false, printed: '0\n' })
  })

  test('uses each package from CommonJS', async () => {
    const used = {
      client: 'createClient',
      contract: 'openKit',
      server: 'startServer',
      spec: 'loadDocument',
      types: 'operations',
    }
    const lines = Object.entries(used).map(
      ([name, main]) => `console.log(typeof require('@svc-admin/${name}').${main})`,
    )
    writeFileSync(join(folder, 'main.cjs'), lines.join('\n'))
    const { printed: shown, failed } = await run(process.execPath, ['--no-warnings', 'main.cjs'])
    expect(failed, shown).toBe(false)
    expect(shown.trim().split('\n')).toEqual(['function', 'function', 'function', 'function', 'object'])
  })

  test('uses all packages on every supported Node version', async () => {
    const toolbox = await installToolbox(new URL('runtimes/', import.meta.url))
    writeFileSync(
      join(folder, 'main.mjs'),
      program.replace(/^import type .*$/m, '').replace(/: components[^=]+/, ' '),
    )
    for (const major of [20, 22, 24]) {
      const node = join(toolbox, 'node_modules', `node-${major}-linux-${process.arch}`, 'bin/node')
      const ended = await run(node, ['main.mjs'])
      expect(ended.failed, `Node ${major}: ${ended.printed}`).toBe(false)
      expect(JSON.parse(ended.printed)).toEqual(printed)
    }
  }, 300_000)

  test.each(['5.4', '7.0'])('compiles against their declarations with TypeScript %s', async (version) => {
    const consumers = new URL('../packages/client/test/consumers/', import.meta.url)
    const toolbox = await installToolbox(consumers)
    writeFileSync(join(folder, 'main.ts'), program)
    writeFileSync(join(folder, 'common.cts'), common)
    const compilerOptions = {
      module: 'nodenext',
      moduleResolution: 'nodenext',
      target: 'es2022',
      strict: true,
      skipDefaultLibCheck: true,
      noEmit: true,
      types: ['node'],
      skipLibCheck: false,
    }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['main.ts', 'common.cts'] }),
    )
    const compiler = join(toolbox, 'node_modules', `typescript-${version}`, 'bin/tsc')
    expect(await run(process.execPath, [compiler])).toEqual({ printed: '', failed: false })
  })
})

describe.each(packages)('%s', (name) => {
  test('has no publint findings', async () => {
    const { messages } = await publint({ pkgDir: installed(name), strict: true, pack: false })
    expect(messages).toEqual([])
  })

  test('has no findings of Are the types wrong', async () => {
    const { name: full }: { name: string } = JSON.parse(
      readFileSync(join(installed(name), 'package.json'), 'utf8'),
    )
    const file = tarballs.find((one) => one.startsWith(full.replace('@', '').replace('/', '-'))) ?? ''
    const result = await checkPackage(createPackageFromTarballData(readFileSync(join(folder, file))))
    if (!result.types) throw new Error('the package has no types')
    // The other packages are ES modules, which all supported versions of Node.js can load with `require`.
    const both = ['packages/client', 'packages/types'].includes(name)
    // Module resolution for Node.js 10 doesn't support `exports`.
    const known = both ? [] : ['node10', 'node16-cjs']
    const problems = result.problems.filter(
      (each) => !('resolutionKind' in each) || !known.includes(each.resolutionKind),
    )
    expect(problems).toEqual([])
  })

  test('contains its license and a README, but no source', () => {
    const files = readdirSync(installed(name))
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist']))
    expect(files).not.toContain('src')
  })

  test('exports only files that it contains, and is packed without changing its manifest', () => {
    const textIn = (home: string) => readFileSync(join(home, 'package.json'), 'utf8')
    const manifest = JSON.parse(textIn(installed(name)))
    const targets: string[] = []
    JSON.stringify([manifest.exports, manifest.imports], (_, value) => {
      if (typeof value === 'string') targets.push(value)
      return value
    })
    expect(targets).toContain('./package.json')
    // For a pattern such as `./dist/*.json`, only the folder must exist.
    const isMissing = (target: string) => !existsSync(join(installed(name), target.replace(/\*.*/, '')))
    expect(targets.filter(isMissing)).toEqual([])

    const home = join(copy, name)
    expect(textIn(home)).toBe(textIn(join(repository, name)))
    expect(existsSync(join(home, 'package.json.orig'))).toBe(false)
  })
})
