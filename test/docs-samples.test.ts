import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { everySample, type OwnedSample } from '@svc-admin/docs/samples'
import { type RunningServer, startServer } from '@svc-admin/server'
import { operations as operationsById } from '@svc-admin/types'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { requestToken } from '../packages/server/test/token.ts'
import { has, type Runner, runGo, runPython, runShell, runTypescript } from './sample-runs.ts'

const samples = everySample()

let server: RunningServer
let stage: Server
let environment: Record<string, string>

/** The number of seconds by which the demo organization's clock is advanced before a sample runs. */
let age = 0

async function control(method: string, path: string, body: unknown): Promise<void> {
  const response = await fetch(`${server.controlUrl}${path}`, { method, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
}

/** Whether to first send the preparatory request that the site lists for a sample. */
let prepared = true

/** The age of the demo organization, if no sample has changed it, and its access token. */
let untouched: number | undefined
let token = ''

const reads = new Set<string>(
  Object.values(operationsById).flatMap(({ id, method }) => (method === 'GET' ? id : [])),
)

/**
 * Provides an unchanged demo organization for each sample, and returns an access token. Creating an organization takes
 * longer than a sample.
 */
async function beginAnew(operationId = ''): Promise<string> {
  if (untouched !== age) {
    await control('POST', '/reset', {})
    if (age > 0) await control('PUT', '/clock', { advanceSeconds: age })
    token = await newToken()
  }
  const first = samples.find((sample) => sample.operationId === operationId)?.first
  untouched = reads.has(operationId) && !first ? age : undefined
  if (prepared && first) await control(first.method, first.path, first.body)
  return token
}

/** An access token. Resetting the organization revokes the previous one. */
async function newToken(): Promise<string> {
  const { SVC_CLIENT_ID: clientId = '', SVC_CLIENT_SECRET: clientSecret = '' } = environment
  const { status, text, textAt } = await requestToken(server.url, { clientId, clientSecret })
  if (status !== 200) throw new Error(`No token: ${text}`)
  return textAt('access_token')
}

beforeAll(async () => {
  server = await startServer({ sandbox: true })
  stage = createServer((request, response) => {
    beginAnew(request.url?.split('/').at(-1)).then(
      (token) => response.end(token),
      (error) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => stage.listen(0, '127.0.0.1', resolve))
  const response = await fetch(`${server.url}/sandbox/credentials.json`)
  const { apiKey, serviceAccount } = (await response.json()) as Record<string, Record<string, string>>
  environment = {
    SVC_BASE_URL: server.url,
    SVC_STAGE_URL: `http://127.0.0.1:${(stage.address() as AddressInfo).port}`,
    SVC_PUBLIC_KEY: apiKey?.publicKey ?? '',
    SVC_PRIVATE_KEY: apiKey?.privateKey ?? '',
    SVC_CLIENT_ID: serviceAccount?.clientId ?? '',
    SVC_CLIENT_SECRET: serviceAccount?.clientSecret ?? '',
  }
})
afterAll(async () => {
  stage?.close()
  await server?.stop()
})

/** The samples of every operation in its newest version. */
const newest = [
  ...new Map(samples.map((sample) => [`${sample.operationId} ${sample.label}`, sample])).values(),
]
const operations = new Set(newest.map(({ operationId }) => operationId))

interface Kind {
  readonly labels: readonly string[]
  readonly run: Runner
  readonly tool: boolean
  /**
   * The number of samples that are missing. The token endpoint accepts neither Digest nor a token, so it has only one
   * curl sample.
   */
  readonly without?: number
}

const curl: Kind = { labels: ['curl', 'curl, Digest'], run: runShell, tool: has('curl') }
const kinds: readonly Kind[] = [
  curl,
  { labels: ['curl, token'], run: runShell, tool: has('curl'), without: 1 },
  { labels: ['TypeScript'], run: runTypescript, tool: true },
  { labels: ['Python'], run: runPython, tool: has('python3') },
  { labels: ['Go'], run: runGo, tool: has('go', 'version') },
]

/** The outcomes of the samples that failed. */
async function failures(tried: readonly OwnedSample[], run: Runner): Promise<string[]> {
  const named = new Map(tried.map((sample) => [`${sample.version}/${sample.operationId}`, sample.text]))
  const outcomes = await run(
    [...named].map(([name, text]) => ({ name, text })),
    environment,
  )
  return [...named.keys()].flatMap((name) => {
    const outcome = outcomes.get(name) ?? 'did not run'
    return /^2\d\d$/.test(outcome) ? [] : [`${name}: ${outcome}`]
  })
}

describe('on a new demo organization, unchanged,', () => {
  for (const { labels, run, tool, without = 0 } of kinds)
    test(`the sample of ${labels.join(' or ')} succeeds`, { timeout: 300_000 }, async ({ skip }) => {
      skip(!tool, `there is no tool on this machine that runs a sample of ${labels[0]}`)
      const own = newest.filter(({ label }) => labels.includes(label))
      expect(own).toHaveLength(operations.size - without)
      expect(await failures(own, run)).toEqual([])
    })

  test('the curl sample succeeds in older versions, and a day later', { timeout: 300_000 }, async ({
    skip,
  }) => {
    skip(!curl.tool, 'there is no curl on this machine')
    const older = samples.filter((sample) => curl.labels.includes(sample.label) && !newest.includes(sample))
    expect(new Set(older.map(({ version }) => version))).toContain('v1.0')
    age = 86_400
    onTestFinished(() => {
      age = 0
    })
    expect(await failures(older, curl.run)).toEqual([])
  })
})

test('samples fail without their listed preparation', async ({ skip }) => {
  skip(!curl.tool, 'there is no curl on this machine')
  const needy = newest.filter(({ label, first }) => curl.labels.includes(label) && first)
  expect(needy.map(({ operationId }) => operationId)).toEqual(['disableCompliancePolicy'])
  prepared = false
  onTestFinished(() => {
    prepared = true
  })
  expect(await failures(needy, curl.run)).toHaveLength(needy.length)
})

test('all operations have samples', () => {
  expect(operations.size).toBe(78)
})
