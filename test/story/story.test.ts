import { spawn } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Copy, copyRepository, type Ended } from './copy.ts'

// Simulates a team's work during one week, in a copy of the repository. Each step depends on the previous step.
const week = new URL('week/', import.meta.url)
const id = 'getAlertSummary'
const date = 'spec/v2/2025-03-12'
const minutes = 60_000

let copy: Copy
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

beforeAll(async () => {
  copy = copyRepository()
  await copy.run('git', ['init', '--quiet', '--initial-branch=main'])
  for (const setting of ['user.name=Story', 'user.email=story@example.com', 'commit.gpgsign=false'])
    await copy.run('git', ['config', ...setting.split('=')])
  // Waivers from the previous release don't apply to later releases.
  writeFileSync(join(copy.root, 'spec/diff/exemptions.yaml'), '[]\n')
  await commit('chore: begin')
  released = `spec-v${JSON.parse(textOf('spec/package.json')).version}`
  done(await copy.run('git', ['tag', released]))
}, 5 * minutes)

afterAll(() => copy?.remove())

async function commit(message: string): Promise<void> {
  done(await copy.run('git', ['add', '--all']))
  done(await copy.run('git', ['commit', '--quiet', '--no-verify', '-m', message]))
}

test('Monday: one command scaffolds an operation', async () => {
  const flags = ['--method', 'get', '--path', '/groups/{groupId}/alertSummary', '--area', 'Alerts']
  const what = ['--summary', 'Count the alerts of a project', '--source', '4.4', '--schema', 'AlertSummary']
  const since = ['--since', '2025-03-12']
  done(await node('scripts/new/main.ts', ['operation', id, ...flags, ...what, ...since]))
  expect(textOf(`${date}/openapi.yaml`)).toContain('/groups/{groupId}/alertSummary')
})

test(
  'Tuesday: it is described, the linters and the ledger agree, and no released date is broken',
  async () => {
    put('get-alert-summary.yaml', `${date}/paths/get-alert-summary.yaml`)
    put('AlertSummary.yaml', `${date}/schemas/AlertSummary.yaml`)
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
  'Wednesday: it is in the types and in the client, from its date on',
  async () => {
    await build('packages/types')
    expect(textOf('packages/types/dist/2025-03-12.d.cts')).toContain(`${id}:`)
    await build('packages/client')
    put('use-client.txt', 'packages/client/use.ts')
    const flags = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--skipLibCheck',
      'use.ts',
    ]
    done(await copy.run(process.execPath, ['../../scripts/tsc.mjs', ...flags], 'packages/client'))
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

test(
  'Friday: its page is in the documentation, and it is released',
  async () => {
    done(await copy.run('npm', ['run', 'build', '-w', 'packages/docs']))
    const site = join(copy.root, 'packages/docs/dist/site')
    expect(existsSync(join(site, '2025-03-12/operations', id, 'index.html'))).toBe(true)
    writeFileSync(
      join(copy.root, '.changeset/alert-summary.md'),
      `---\n"@svc-admin/client": minor\n---\n\nCounts the alerts of a project: \`${id}\`.\n`,
    )
    await commit(`feat: ${id}`)
    const before: { version: string } = JSON.parse(textOf('packages/client/package.json'))
    done(await copy.run('npx', ['--no-install', 'changeset', 'version']))
    const after: { version: string } = JSON.parse(textOf('packages/client/package.json'))
    expect(after.version).not.toBe(before.version)
    expect(JSON.parse(textOf('spec/package.json')).version).toBe(after.version)
    expect(textOf('packages/client/CHANGELOG.md')).toContain(id)
  },
  10 * minutes,
)

/** Runs the kit for this operation against the copy's server. */
async function verdicts(): Promise<Ended> {
  const source = ['--conditions', '@svc-admin/source', '--import', 'tsx']
  const flags = ['--port', '0', '--control-port', '0', '--database', ':memory:', '--sandbox', '--seed-demo']
  const args = [...source, 'packages/server/src/main.ts', ...flags, '--log-level', 'info']
  const server = spawn(process.execPath, args, { cwd: copy.root, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const { url, controlUrl } = await listening(server.stdout)
    const run = ['run', '--base-url', url, '--control', controlUrl, '--operation', id, '--quiet']
    return await copy.run(process.execPath, [...source, 'packages/contract/src/main.ts', ...run])
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
