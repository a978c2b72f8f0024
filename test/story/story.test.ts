import { spawn } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { Checkout } from '../../scripts/new/change.ts'
import { planDate } from '../../scripts/new/date.ts'
import type { NewOperation } from '../../scripts/new/new-operation.ts'
import { planOperation } from '../../scripts/new/operation.ts'
import { planRequirement } from '../../scripts/new/requirement.ts'
import { applyChangeTable } from '../change-table.ts'
import { renameField } from '../rename-field.ts'
import { type Copy, copyRepository, type Ended } from './copy.ts'

// Simulates a team's work during one week, in a copy of the repository. Each step depends on the previous step.
const week = new URL('week/', import.meta.url)
const id = 'getAlertSummary'
const version = '2025-03-12'
const nextVersion = '2099-02-28'
const folder = `spec/v2/${version}`
const minutes = 60_000

let copy: Copy
let checkout: Checkout
/** The tag for the release before that week. */
let released = ''
const put = (name: string, path: string) => cpSync(new URL(name, week), join(copy.root, path))
const textOf = (path: string) => readFileSync(join(copy.root, path), 'utf8')
const node = (script: string, args: readonly string[], folder?: string) =>
  copy.run(process.execPath, ['--import', 'tsx', script, ...args], folder)
const done = (ended: Ended) => expect(ended.code, ended.output.slice(-4000)).toBe(0)
/**
 * Builds a package and checks that the build removes output that has no source file. Such output can be left over after
 * you switch branches, for example.
 */
const build = async (workspace: string) => {
  const leftOver = join(copy.root, workspace, 'dist/of-no-source.js')
  writeFileSync(leftOver, '')
  done(await copy.run('npm', ['run', 'build', '-w', workspace]))
  expect(existsSync(leftOver)).toBe(false)
}
const compile = async (folder: string, flags: readonly string[] = ['-p', 'tsconfig.build.json']) => {
  const tsc = join(copy.root, 'scripts/tsc.mjs')
  done(await copy.run(process.execPath, [tsc, '--noEmit', ...flags], folder))
}
const vitest = async (files: readonly string[], ...flags: string[]) =>
  done(await copy.run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...files, ...flags]))

beforeAll(async () => {
  copy = copyRepository()
  checkout = new Checkout(copy.root)
  // Last week's changes: a new version, and the changes in the change table.
  checkout.write(planDate(checkout, nextVersion))
  applyChangeTable(checkout)
  renameField(checkout, nextVersion)
  await copy.run('git', ['init', '--quiet', '--initial-branch=main'])
  for (const setting of ['user.name=Story', 'user.email=story@example.com', 'commit.gpgsign=false'])
    await copy.run('git', ['config', ...setting.split('=')])
  // Waivers from the previous release don't apply to later releases.
  writeFileSync(join(copy.root, 'spec/diff/exemptions.yaml'), '[]\n')
  await commit('chore: begin')
  released = `spec-v${JSON.parse(textOf('spec/package.json')).version}`
  done(await copy.run('git', ['tag', released]))
}, 5 * minutes)

afterAll(() => copy?.remove(), 5 * minutes)

async function commit(message: string): Promise<void> {
  done(await copy.run('git', ['add', '--all']))
  done(await copy.run('git', ['commit', '--quiet', '--no-verify', '-m', message]))
}

test('Monday: one command scaffolds an operation', async () => {
  const flags = ['--method', 'get', '--path', '/groups/{groupId}/alertSummary', '--area', 'Alerts']
  const what = ['--summary', 'Count the alerts of a project', '--source', '4.4', '--schema', 'AlertSummary']
  done(await node('scripts/new/main.ts', ['operation', id, ...flags, ...what, '--since', version]))
  expect(textOf(`${folder}/openapi.yaml`)).toContain('/groups/{groupId}/alertSummary')
})

test(
  'Tuesday: it is described, the linters and the ledger agree, and no released version is broken',
  async () => {
    put('get-alert-summary.yaml', `${folder}/paths/get-alert-summary.yaml`)
    put('AlertSummary.yaml', `${folder}/schemas/AlertSummary.yaml`)
    put('getAlertSummary.requirements.yaml', 'spec/requirements/alerts/getAlertSummary.yaml')
    await build('spec')
    done(await node('ledger/check.ts', ['--record'], 'spec'))
    done(await node('lint/main.ts', [], 'spec'))
    const gate = await node('diff/gate.ts', [], 'spec')
    done(gate)
    expect(gate.output).toContain(`Compared with ${released}: 0 problems`)
  },
  10 * minutes,
)

test(
  'Wednesday: it is in the types and in the client, from its version on',
  async () => {
    await build('packages/types')
    expect(textOf(`packages/types/dist/${version}.d.cts`)).toContain(`${id}:`)
    await build('packages/client')
    await vitest(['packages/client/test/budgets.test.ts'], '-t', 'bytes')
    put('use-client.txt', 'packages/client/use.ts')
    const options = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck']
    await compile('packages/client', ['--ignoreConfig', ...options, 'use.ts'])
    rmSync(join(copy.root, 'packages/client/use.ts'))
  },
  10 * minutes,
)

test(
  'Thursday: the conformance kit demands it, until the server does it',
  async () => {
    put('getAlertSummary.case.txt', `packages/contract/src/cases/alerts/${id}.ts`)
    const before = await verdicts()
    expect(before.code, before.output).toBe(1)
    expect(before.output).toContain(`${id}.answers-with-alert-summary`)
    put('getAlertSummary.server.txt', `packages/server/src/operations/alerts/${id}.ts`)
    const after = await verdicts()
    expect(after.code, after.output).toBe(0)
  },
  10 * minutes,
)

/** Tests that cover all versions, limits or notification kinds, and might therefore contain copies of these values. */
const general = [
  'spec/build/bundle.test.ts',
  'spec/diff/behavior.test.ts',
  'packages/contract/src/run/plan.test.ts',
  'packages/server/src/http/roles.test.ts',
  'packages/server/src/http/response-format.test.ts',
  'packages/server/src/http/validation.test.ts',
  'packages/types/generate/described-bounds.test.ts',
]

test(
  'Thursday: the tests pass without changes',
  async () => {
    const projects = ['spec', 'types', 'contract', 'server']
    await vitest(general, '--maxWorkers=1', ...projects.flatMap((name) => ['--project', name]))
  },
  10 * minutes,
)

/** An operation for every method, with new schemas, existing schemas and no schemas. */
const others: readonly Partial<NewOperation>[] = [
  { id: 'listThings', method: 'get', schema: 'ThingList' },
  { id: 'createThing', method: 'post', schema: 'Thing', area: 'Custom DNS' },
  { id: 'getThing', method: 'get', schema: 'Thing', path: '/groups/{groupId}/things/one' },
  { id: 'updateThing', method: 'patch', schema: 'Thing', path: '/groups/{groupId}/things/one' },
  { id: 'updateThings', method: 'put', schema: 'Thing' },
  { id: 'deleteThings', method: 'delete' },
  { id: 'getBareThing', method: 'get', path: '/groups/{groupId}/things/bare', since: '2024-08-05' },
  { id: 'takeBareThing', method: 'post', path: '/groups/{groupId}/things/bare', since: '2024-08-05' },
  { id: 'cutoverBareThing', method: 'put', path: '/groups/{groupId}/things/bare', since: '2024-08-05' },
  { id: 'toggleBareThing', method: 'patch', path: '/groups/{groupId}/things/bare', since: '2024-08-05' },
  { id: 'getKnownThing', method: 'get', path: '/groups/{groupId}/things/known', schema: 'Alert' },
]

test(
  'Friday: generated operations of every method and requirements in every case file build and compile',
  async () => {
    const what = { path: '/groups/{groupId}/things', area: 'Alerts', summary: 'Do this or that' }
    const common = { role: 'PROJECT_READ_ONLY', strength: 'stated', source: '4.4' } as const
    for (const other of others)
      checkout.write(planOperation(checkout, { id: '', method: '', ...what, ...common, ...other }))
    const text = 'It takes application/*; q=*/* (so it is).'
    const rule = { text, strength: 'stated', source: '4.4' } as const
    const requirements = operationsWithRows().map((operation) => ({
      id: `${operation}.new-promise`,
      ...rule,
    }))
    checkout.write(requirements.flatMap((requirement) => planRequirement(checkout, requirement)))
    await build('spec')
    done(await node('ledger/check.ts', ['--record'], 'spec'))
    await build('packages/types')
    await build('packages/client')
    await compile('packages/server')
    await compile('packages/contract')
    await compile('examples/implementer', ['-p', 'tsconfig.json'])
  },
  10 * minutes,
)

test(
  'Friday: every operation has a page in the documentation',
  async () => {
    done(await copy.run('npm', ['run', 'build', '-w', 'packages/docs']))
    const pages = join(copy.root, `packages/docs/dist/site/${nextVersion}/operations`)
    for (const operation of [id, ...others.map((other) => String(other.id))])
      expect([operation, existsSync(join(pages, operation, 'index.html'))]).toEqual([operation, true])
  },
  10 * minutes,
)

/** The command with which the release workflow replaces the version. */
function versionCommand(): string {
  const { steps } = parse(textOf('.github/workflows/release.yml')).jobs.release
  const isAction = ({ uses = '' }: { uses?: string }) => uses.startsWith('changesets/action')
  return steps.find(isAction).with.version
}

test(
  'Friday: a release replaces the version in all manifests, images and the lock file',
  async () => {
    writeFileSync(
      join(copy.root, '.changeset/alert-summary.md'),
      `---\n"@svc-admin/client": minor\n---\n\nCounts the alerts of a project: \`${id}\`.\n`,
    )
    // Changesets reads the details of a changeset from the commit that added it.
    await commit(`feat: ${id}`)
    const [program = '', ...args] = versionCommand().split(' ')
    done(await copy.run(program, args))
    const { version: next } = JSON.parse(textOf('spec/package.json'))
    expect(released).not.toBe(`spec-v${next}`)
    expect(textOf('packages/client/CHANGELOG.md')).toContain(id)
    const examples = ['contract-jest', 'contract-node-test', 'contract-vitest', 'implementer']
    const folders = [...examples.map((name) => `examples/${name}`), 'packages/server', 'packages/contract']
    for (const path of folders) {
      const { dependencies, devDependencies } = JSON.parse(textOf(`${path}/package.json`))
      const all = Object.entries({ ...dependencies, ...devDependencies })
      const ours = all.filter(([name]) => name.startsWith('@svc-admin/'))
      expect([path, ...new Set(ours.map(([, wanted]) => wanted))]).toEqual([path, next])
    }
    expect(textOf('packages/server/deploy/kubernetes/server.yaml')).toContain(`svc-admin-server:${next}\n`)
    const { packages } = JSON.parse(textOf('package-lock.json'))
    expect(packages['packages/client'].version).toBe(next)
    expect(packages['packages/client'].dependencies['@svc-admin/types']).toBe(next)
    // From now on, documents are compared with this release.
    const gate = await copy.run('npm', ['run', '--silent', 'gate', '-w', 'spec'])
    done(gate)
    expect(gate.output).toContain(`Compared with spec ${next}: 0 problems, 0 exemptions.`)
  },
  10 * minutes,
)

/** Operations that have their own requirements file. */
function operationsWithRows(): string[] {
  const folder = join(copy.root, 'spec/requirements')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => {
      const { operations = [] }: { operations?: string[] } = parse(checkout.read(`spec/requirements/${name}`))
      return operations.length === 1 ? operations : []
    })
}

/** Runs the kit for this operation against the copy's server. */
async function verdicts(): Promise<Ended> {
  const source = ['--conditions', '@svc-admin/source', '--import', 'tsx']
  const flags = ['--port', '0', '--control-port', '0', '--database', ':memory:', '--sandbox', '--seed-demo']
  const args = [...source, 'packages/server/src/main.ts', ...flags, '--log-level', 'info']
  const server = spawn(process.execPath, args, { cwd: copy.root, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const { url, controlUrl } = await listening(server.stdout)
    const run = ['run', '--base-url', url, '--control', controlUrl, '--quiet']
    const selection = ['--operation', id, '--version', version]
    return await copy.run(process.execPath, [
      ...source,
      'packages/contract/src/main.ts',
      ...run,
      ...selection,
    ])
  } finally {
    server.kill()
  }
}

function listening(output: Readable): Promise<{ url: string; controlUrl: string }> {
  return new Promise((resolve, reject) => {
    let text = ''
    output.on('data', (chunk) => {
      text += chunk
      const line = text.split('\n').find((one) => one.includes('"listening"'))
      if (line !== undefined) resolve(JSON.parse(line))
    })
    output.on('end', () => reject(new Error(`The server did not start: ${text}`)))
  })
}
