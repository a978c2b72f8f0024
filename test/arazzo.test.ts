import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type RunningServer, startServer } from '@svc-admin/server'
import { loadWorkflows } from '@svc-admin/spec'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { requestToken } from '../packages/server/test/token.ts'
import { credentialsOf } from './demo.ts'

const redocly = join(createRequire(import.meta.url).resolve('@redocly/cli/package.json'), '../bin/cli.js')
const workflows = loadWorkflows()
const fileOf = (name: string) => fileURLToPath(new URL(`../spec/workflows/${name}.yaml`, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'svc-admin-arazzo-'))
let server: RunningServer
let fastProxy: Server

interface Ended {
  readonly failed: boolean
  readonly printed: string
}

/** The part of Respect's report that lists the executed steps. */
interface RespectReport {
  readonly files: Record<
    string,
    { readonly executedWorkflows: { readonly executedSteps: { readonly stepId: string }[] }[] }
  >
}

const run = (...args: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const env = {
      ...process.env,
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      NO_COLOR: '1',
    }
    execFile(process.execPath, [redocly, ...args], { env, maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, printed: `${stdout}${stderr}` }),
    )
  })

const control = (path: string, body: unknown, method = 'POST') =>
  fetch(`${server.controlUrl}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Forwards requests, and advances the server's clock by ten minutes before each GET. */
function startFastProxy(): Promise<Server> {
  const proxy = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', async () => {
      if (request.method === 'GET') await control('/clock', { advanceSeconds: 600 }, 'PUT')
      const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
      const answer = await fetch(`${server.url}${request.url}`, {
        method: request.method ?? 'GET',
        headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
        ...(parts.length > 0 && { body: Buffer.concat(parts) }),
      })
      const body = Buffer.from(await answer.arrayBuffer())
      const type = answer.headers.get('content-type')
      response.writeHead(answer.status, type === null ? {} : { 'content-type': type })
      response.end(body)
    })
  })
  return new Promise((resolve) => proxy.listen(0, '127.0.0.1', () => resolve(proxy)))
}

beforeEach(async () => {
  server = await startServer({ sandbox: true })
  fastProxy = await startFastProxy()
})
afterEach(async () => {
  fastProxy.close()
  await server.stop()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const accessToken = async (): Promise<string> =>
  (await requestToken(server.url, credentialsOf('Organization owner').account)).textAt('access_token')

/**
 * Runs a workflow as the owner of the demo organization, with the default inputs. Respect expects a `Content-Type` in
 * responses without a body, so its content type check only warns.
 */
async function respect(file: string, ...more: string[]): Promise<Ended> {
  const { port } = fastProxy.address() as AddressInfo
  const target = [
    ...['--server', `api=http://127.0.0.1:${port}/api/svc/v2`],
    ...['--severity', 'CONTENT_TYPE_CHECK=warn'],
  ]
  return run('respect', file, ...target, '--input', `accessToken=${await accessToken()}`, ...more)
}

test('each lifecycle has a workflow, and all of them pass Redocly lint', async () => {
  const names = Object.keys(workflows)
  expect(names).toHaveLength(9)
  for (const name of names) expect(workflows[name]?.arazzo).toMatch(/^1\.0\.\d$/)
  const ended = await run('lint', ...names.map(fileOf), '--format', 'github-actions')
  // Each finding has its own line. Advice about the Node version isn't a finding.
  expect(ended.printed.match(/^::.*$/gm) ?? []).toEqual([])
  expect(ended.failed).toBe(false)
})

/** Returns the distinct steps that ran. The report repeats polling steps. */
function stepsIn(report: string): string[] {
  const { files }: RespectReport = JSON.parse(readFileSync(report, 'utf8'))
  const steps = Object.values(files).flatMap(({ executedWorkflows }) =>
    executedWorkflows.flatMap(({ executedSteps }) => executedSteps.map(({ stepId }) => stepId)),
  )
  return [...new Set(steps)]
}

test.each(Object.entries(workflows))(
  'the workflow %s runs to its end on the server',
  async (name, { workflows: [workflow] }) => {
    const report = join(folder, `${name}.json`)
    const ended = await respect(fileOf(name), '--json-output', report)
    expect(ended.failed, ended.printed).toBe(false)
    expect(stepsIn(report)).toEqual(workflow?.steps.map(({ stepId }) => stepId))
    // Responses without a body are the only ones without a content type.
    const warned = [...ended.printed.matchAll(/Content type \S+ for (\d+) response/g)].map(
      ([, status]) => status,
    )
    expect(warned.filter((status) => status !== '202' && status !== '204')).toEqual([])
  },
)

test('a workflow with a wrong expectation fails', async () => {
  const [name = ''] = Object.keys(workflows)
  const text = readFileSync(fileOf(name), 'utf8').replace('$statusCode == 200', '$statusCode == 418')
  const bundle = fileURLToPath(new URL('../spec/dist/', import.meta.url))
  const changed = join(folder, 'changed.yaml')
  writeFileSync(changed, text.replace('../dist/', bundle))
  const ended = await respect(changed)
  expect(ended.failed).toBe(true)
  expect(ended.printed).toContain('$statusCode == 418')
})
