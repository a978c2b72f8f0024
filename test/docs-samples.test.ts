import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '@svc-admin/client'
import { everySample, type OwnedSample } from '@svc-admin/docs/samples'
import { type RunningServer, startServer } from '@svc-admin/server'
import { loadDemo } from '@svc-admin/spec'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { has, type Runner, runGo, runPython, runShell, runTypescript } from './sample-runs.ts'

const demo = loadDemo()
const groupId = String(demo.projects?.[0]?.id)
const clusterName = 'orders-eu'

let server: RunningServer
let stage: Server
let environment: Record<string, string>

async function control(path: string, body: unknown = {}, method = 'POST'): Promise<void> {
  const answer = await fetch(`${server.controlUrl}${path}`, { method, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
}

const client = () =>
  createClient({
    baseUrl: server.url,
    credentials: {
      publicKey: environment.SVC_PUBLIC_KEY ?? '',
      privateKey: environment.SVC_PRIVATE_KEY ?? '',
    },
    version: '2025-03-12',
  })

const pass = (seconds: number) => control('/clock', { advanceSeconds: seconds }, 'PUT')

async function withoutDefaultIndex(): Promise<void> {
  const [index] = demo.searchIndexes?.filter(({ name }) => name === 'default') ?? []
  await client().deleteSearchIndex({ groupId, clusterName, indexId: String(index?.indexID) })
  await pass(60)
}

/** Puts the role of the samples in place as it has to be. */
async function seedRole(changes: object): Promise<void> {
  const [role] = demo.cloudProviderAccessRoles ?? []
  await control('/seed', { cloudProviderAccessRoles: [{ ...role, ...changes }] })
}

async function withoutBuckets(): Promise<void> {
  await client().updateBackupSchedule({ groupId, clusterName, body: { autoExportEnabled: false } })
  for (const bucket of demo.exportBuckets?.filter((each) => each.groupId === groupId) ?? [])
    await client().deleteExportBucket({ groupId, exportBucketId: String(bucket._id) })
}

async function runningRestore(): Promise<void> {
  const [{ finishedAt: _, ...job } = {}] = demo.restoreJobs ?? []
  await control('/seed', { restoreJobs: [{ ...job, createdAt: new Date().toISOString() }] })
}

/** Search nodes are never removed: the cluster itself is made anew. */
async function withoutSearchNodes(): Promise<void> {
  const clusters = demo.clusters?.filter(({ name }) => name === 'orders-global')
  await control('/unseed', { clusters })
  await control('/seed', { clusters })
}

/** What must be so before the sample of an operation can succeed; for all others the demo organisation is enough. */
const arrangements: Readonly<Record<string, () => Promise<unknown>>> = {
  createSearchIndex: withoutDefaultIndex,
  createFtsIndex: withoutDefaultIndex,
  deleteExportBucket: () =>
    client().updateBackupSchedule({ groupId, clusterName, body: { autoExportEnabled: false } }),
  cancelRestoreJob: runningRestore,
  createSearchNodes: withoutSearchNodes,
  cutoverMigration: () => pass(120),
  deauthorizeCloudProviderAccessRole: withoutBuckets,
  authorizeCloudProviderAccessRole: () => seedRole({ featureUsages: [] }),
  disableCompliancePolicy: () => control('/backups/deletable', { groupId: '64b7e1c20f3a5d6e7f809102' }),
}

async function makeReady(operationId: string): Promise<void> {
  await control('/reset')
  await arrangements[operationId]?.()
}

beforeAll(async () => {
  server = await startServer({ sandbox: true })
  stage = createServer((request, response) => {
    makeReady((request.url ?? '').slice(1)).then(
      () => response.end(),
      (error) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => stage.listen(0, '127.0.0.1', resolve))
  const answer = await fetch(`${server.url}/sandbox/credentials.json`)
  const { apiKey, serviceAccount } = (await answer.json()) as Record<string, Record<string, string>>
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

/** The samples of every operation in the newest version that has it. */
const newest = [
  ...new Map(everySample().map((sample) => [`${sample.operationId} ${sample.label}`, sample])).values(),
]
const operations = new Set(newest.map(({ operationId }) => operationId))

/** Of the token endpoint, which takes neither Digest nor a token, there is one curl sample in place of two. */
const kinds: readonly (readonly [labels: readonly string[], run: Runner, tool: boolean, without: number])[] =
  [
    [['curl', 'curl, Digest'], runShell, has('curl'), 0],
    [['curl, token'], runShell, has('curl'), 1],
    [['TypeScript'], runTypescript, true, 0],
    [['Python'], runPython, has('python3'), 0],
    [['Go'], runGo, has('go', 'version'), 0],
  ]

async function failures(samples: readonly OwnedSample[], run: Runner): Promise<string[]> {
  const outcomes = await run(
    samples.map(({ operationId, text }) => ({ name: operationId, text })),
    environment,
  )
  return samples.flatMap(({ operationId }) => {
    const outcome = outcomes.get(operationId) ?? 'did not run'
    return /^2\d\d$/.test(outcome) ? [] : [`${operationId}: ${outcome}`]
  })
}

describe('on the demo organisation, of every operation', () => {
  for (const [labels, run, tool, without] of kinds)
    test(`the sample of ${labels.join(' or ')} succeeds`, { timeout: 300_000 }, async ({ skip }) => {
      skip(!tool, `there is no tool on this machine that runs a sample of ${labels[0]}`)
      const samples = newest.filter(({ label }) => labels.includes(label))
      expect(samples).toHaveLength(operations.size - without)
      expect(await failures(samples, run)).toEqual([])
    })
})

test('there are samples of all operations', () => {
  expect(operations.size).toBe(78)
})
