import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type RunningServer, startServer } from '@svc-admin/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { installToolbox } from '../scripts/toolbox.ts'

// Runs the examples as a user would: with the built packages, and with the test runners of the examples.

const root = fileURLToPath(new URL('../', import.meta.url))
const action = join(root, '.github/actions/contract')
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')

let server: RunningServer
let work = ''
beforeAll(async () => {
  server = await startServer({ sandbox: true })
  work = mkdtempSync(join(tmpdir(), 'examples-'))
})
afterAll(async () => {
  await server.stop()
  rmSync(work, { recursive: true })
})

interface Outcome {
  readonly code: number | null
  readonly output: string
}

const run = (program: string, args: string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Outcome> =>
  new Promise((resolve) => {
    // If a test runner detects that it runs inside another one, it reports to that one.
    const { NODE_TEST_CONTEXT: _, VITEST: __, NODE_OPTIONS: ___, ...rest } = process.env
    const child = spawn(program, args, { cwd: join(root, cwd), env: { ...rest, ...env } })
    let output = ''
    const note = (chunk: Buffer): void => {
      output += chunk.toString('utf8')
    }
    child.stdout.on('data', note)
    child.stderr.on('data', note)
    child.on('close', (code) => resolve({ code, output }))
  })

const addresses = (): NodeJS.ProcessEnv => ({
  SVC_BASE_URL: server.url,
  SVC_CONTROL_URL: server.controlUrl ?? '',
})

/** No server is listening at these addresses. */
const nowhere = { SVC_BASE_URL: 'http://127.0.0.1:9', SVC_CONTROL_URL: 'http://127.0.0.1:9' }

test('the checks pass as Node tests on the reference server', async () => {
  const { code, output } = await run(process.execPath, ['--test'], 'examples/contract-node-test', addresses())
  expect(output).toMatch(/pass [1-9]\d{2,}/)
  expect(output).toMatch(/fail 0\b/)
  expect(code).toBe(0)
}, 300_000)

test('the checks fail as Node tests if nothing responds', async () => {
  const { code, output } = await run(process.execPath, ['--test'], 'examples/contract-node-test', nowhere)
  expect(output).toContain('no server responds at http://127.0.0.1:9')
  expect(code).not.toBe(0)
}, 300_000)

test('the checks pass as Vitest tests on the reference server', async () => {
  const { code, output } = await run(
    process.execPath,
    [vitest, 'run'],
    'examples/contract-vitest',
    addresses(),
  )
  expect(output).toMatch(/Tests.*[1-9]\d{2,} passed/)
  expect(code).toBe(0)
}, 300_000)

test('the checks pass as Jest tests on the reference server', async () => {
  const runners = await installToolbox(new URL('runners/', import.meta.url))
  const jest = join(runners, 'node_modules/jest/bin/jest.js')
  const args = ['--experimental-vm-modules', jest, '--ci']
  const { code, output } = await run(process.execPath, args, 'examples/contract-jest', addresses())
  expect(output).toMatch(/Tests: +[1-9]\d+ passed, [1-9]\d+ total/)
  expect(code).toBe(0)
}, 600_000)

test('the checks fail as Jest tests if nothing responds', async () => {
  const runners = await installToolbox(new URL('runners/', import.meta.url))
  const args = ['--experimental-vm-modules', join(runners, 'node_modules/jest/bin/jest.js'), '--ci']
  const { code, output } = await run(process.execPath, args, 'examples/contract-jest', nowhere)
  expect(output).toContain('no server responds at http://127.0.0.1:9')
  expect(code).not.toBe(0)
}, 600_000)

/** Runs the action's script in the same way as the action does. */
const act = async (inputs: Readonly<Record<string, string>>) => {
  const [outputs, summary, folder] = ['outputs', 'summary', 'report'].map((name) => join(work, name))
  for (const file of [outputs, summary]) rmSync(file ?? '', { force: true })
  const env = {
    BASE_URL: '',
    TARGET: '',
    CONTROL: '',
    ARGUMENTS: '',
    PACKAGE: '',
    FOLDER: folder,
    ...inputs,
    GITHUB_OUTPUT: outputs,
    GITHUB_STEP_SUMMARY: summary,
  }
  const { code } = await run('bash', [join(action, 'run.sh')], '.', env)
  const read = (file: string | undefined) =>
    file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : ''
  return { code, outputs: read(outputs), summary: read(summary), folder: folder ?? '' }
}

test('the action writes reports for a conforming implementation', async () => {
  const { code, outputs, summary, folder } = await act({
    BASE_URL: server.url,
    CONTROL: server.controlUrl ?? '',
    ARGUMENTS: '--operation getCustomDns --smoke',
  })
  expect(code).toBe(0)
  expect(outputs).toBe('code=0\n')
  expect(summary).toContain('## Conformance of')
  for (const name of ['report.json', 'report.html', 'junit.xml', 'report.sarif', 'report.md', 'badge.svg'])
    expect(existsSync(join(folder, name))).toBe(true)
}, 120_000)

test('the action reports that nothing responds', async () => {
  const { code, outputs } = await act({ BASE_URL: 'http://127.0.0.1:9' })
  expect([code, outputs]).toEqual([0, 'code=3\n'])
}, 120_000)

test("the example workflow uses this repository's action with existing inputs", () => {
  const { jobs } = parse(readFileSync(join(root, 'examples/contract-github/conformance.yml'), 'utf8'))
  const steps: { uses?: string; with?: object }[] = jobs.contract.steps
  const own = steps.filter(({ uses = '' }) => uses.startsWith('./'))
  expect(own.map(({ uses }) => join(root, uses ?? ''))).toEqual([action])
  const { inputs } = parse(readFileSync(join(action, 'action.yml'), 'utf8'))
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(own[0]?.with ?? {})))
})

test('the action passes each of its inputs to the script', () => {
  const { inputs, runs } = parse(readFileSync(join(action, 'action.yml'), 'utf8'))
  const [step] = runs.steps
  const handed = Object.values<string>(step.env).map((value) => /inputs\.([\w-]+)/.exec(value)?.[1])
  const told = Object.keys(inputs).filter((name) => name !== 'artifact')
  expect(handed.sort()).toEqual(told.sort())
})
