import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { limits, type Version } from '@svc-admin/types'
import { installToolbox } from '../../../scripts/toolbox.ts'
import { isObject, type Json, listAt, objectAt, parseJson, stringAt } from '../src/document/json.ts'
import { basicAuthorization } from '../src/http/authorization.ts'
import { demoTarget } from '../src/target/demo.ts'
import { documentFor } from './documents.ts'
import { TooSlow } from './time-limit.ts'

/** A tool's findings, as strings that don't change between runs. */
export type Findings = ReadonlySet<string>

/** The document to test, the server's address, and optionally the operations to test. */
export interface Job {
  /** The service's address, without the `/api` path. */
  readonly baseUrl: string
  /** The address of the sandbox's control interface. */
  readonly control: string
  readonly version: Version
  readonly operations?: ReadonlySet<string>
  /** The program's timeout in milliseconds. */
  readonly capMs: number
}

export interface Peer {
  readonly name: string
  try(job: Job): Promise<Findings>
}

export interface Toolbox {
  readonly node: string
  readonly modules: string
}

/** Installs the peers in a folder that later runs reuse. */
export const openToolbox = async (): Promise<Toolbox> => {
  const modules = join(await installToolbox(new URL('peers/', import.meta.url)), 'node_modules')
  return { node: join(modules, `node-24-linux-${process.arch}`, 'bin/node'), modules }
}

const owner = demoTarget({ baseUrl: 'http://127.0.0.1' }).roles.ORGANIZATION_OWNER

const basic = (): string => {
  if (owner?.serviceAccount === undefined) throw new TypeError('the demo organization has no owner')
  return basicAuthorization(owner.serviceAccount)
}

export const prefixOf = (version: Version): string => `/api/svc/${version === 'v1.0' ? 'v1.0' : 'v2'}`

/**
 * Requests a token with all permissions. Without a token, a peer would report every operation as broken. An account can
 * request only a few tokens per minute, so this function may set the server's clock ahead.
 */
const tokenAt = async ({ baseUrl, control }: Job): Promise<string> => {
  const ask = () =>
    fetch(`${baseUrl}/api/oauth/token`, {
      method: 'POST',
      headers: { Authorization: basic(), 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
    })
  let response = await ask()
  if (response.status === 429) {
    const body = JSON.stringify({ advanceSeconds: limits.tokenRequests.windowSeconds + 1 })
    await fetch(`${control}/clock`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    response = await ask()
  }
  return stringAt(parseJson(await response.text()) ?? null, 'access_token') ?? 'none'
}

interface Running {
  readonly folder: string
  readonly capMs: number
  readonly env?: Readonly<Record<string, string>>
}

const run = (program: string, args: readonly string[], { folder, capMs, env }: Running): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, ...env },
      timeout: capMs,
      killSignal: 'SIGKILL',
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString('utf8')
      })
    child.on('error', reject)
    child.on('close', (_, signal) => {
      if (signal === 'SIGKILL') reject(new TooSlow(`${capMs / 1000} s`))
      else resolve(output)
    })
  })

/** Writes the document to a temporary folder, runs a tool there, and deletes the folder. */
const inFolder = async <T>(
  job: Job,
  cut: Omit<Parameters<typeof documentFor>[1], 'operations'>,
  work: (folder: string) => Promise<T>,
): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'contract-bench-'))
  try {
    const { operations } = job
    const document = documentFor(job.version, { ...cut, ...(operations && { operations }) })
    writeFileSync(join(folder, 'document.json'), JSON.stringify(document))
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Replaces the parts of a string that differ between runs: identifiers, times, nonces and addresses. */
export const lasting = (text: string): string =>
  text
    .replaceAll(/127\.0\.0\.1:\d+/g, 'host')
    .replaceAll(/\b[0-9a-f]{24}\b/g, 'id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'moment')
    .replaceAll(/duration: \d+ms/g, '')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 300)

const hooks = fileURLToPath(new URL('dredd-hooks.cjs', import.meta.url))

/** Dredd sends each operation's first example. Dredd compares the status, media type and body of each response. */
export const dredd = ({ node, modules }: Toolbox): Peer => ({
  name: 'Dredd',
  try: (job) =>
    inFolder(job, { successes: true }, async (folder) => {
      const env = { BENCH_BASIC: basic(), BENCH_BEARER: `Bearer ${await tokenAt(job)}` }
      const address = job.baseUrl + prefixOf(job.version)
      const flags = ['--hookfiles', hooks, '--loglevel', 'error', '--no-color']
      const args = [join(modules, 'dredd/bin/dredd'), 'document.json', address, ...flags]
      const output = await run(node, args, { folder, env, capMs: job.capMs })
      const blocks = output.split(/^(?=fail: |error: )/m).filter((block) => /^(fail|error): /.test(block))
      // Dredd's message also includes the response body. The finding contains only the values that Dredd compared.
      return new Set(blocks.map((block) => lasting(block.split(/^request:/m)[0] ?? '')))
    }),
})

const stepsOf = (report: Json): readonly Json[] =>
  Object.values(objectAt(report, 'files'))
    .flatMap((file) => listAt(file, 'executedWorkflows'))
    .flatMap((workflow) => listAt(workflow, 'executedSteps'))

const respectFindings = (report: Json): Findings =>
  new Set(
    stepsOf(report).flatMap((step) =>
      listAt(step, 'checks')
        .filter((check) => stringAt(check, 'status') === 'failed' || stringAt(check, 'status') === 'error')
        .map((check) =>
          lasting(`${stringAt(step, 'stepId')} ${stringAt(check, 'name')} ${stringAt(check, 'message')}`),
        ),
    ),
  )

/** Respect runs Arazzo workflows that Redocly generates, with one request per operation. */
export const respect = ({ node, modules }: Toolbox): Peer => ({
  name: 'Respect, generated',
  try: (job) =>
    // Redocly's generator requires credentials for every alternative security scheme, so only one scheme is kept.
    inFolder(job, { scheme: 'digest' }, async (folder) => {
      const cli = join(modules, '@redocly/cli/bin/cli.js')
      const { capMs } = job
      await run(node, [cli, 'generate-arazzo', 'document.json', '-o', 'document.arazzo.yaml'], {
        folder,
        capMs,
      })
      const inputs = {
        digest_username: owner?.apiKey?.publicKey,
        digest_password: owner?.apiKey?.privateKey,
        clientCredentials_username: owner?.serviceAccount?.clientId,
        clientCredentials_password: owner?.serviceAccount?.clientSecret,
      }
      const given = Object.entries(inputs).flatMap(([name, value]) => ['--input', `${name}=${value}`])
      const server = ['--server', `document=${job.baseUrl}${prefixOf(job.version)}`]
      await run(
        node,
        [cli, 'respect', 'document.arazzo.yaml', ...given, ...server, '--json-output=report.json'],
        { folder, capMs, env: { REDOCLY_TELEMETRY: 'off' } },
      )
      const report = parseJson(readFileSync(join(folder, 'report.json'), 'utf8'))
      return isObject(report) ? respectFindings(report) : new Set(['no report'])
    }),
})
