import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type RunningServer, startServer } from '@svc-admin/server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { clusterName, credentialsOf, groupId } from './demo.ts'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../packages/client/examples/', import.meta.url))
const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

/** The lines that each example prints. Lines with varying values are patterns. */
const expected: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  'acknowledge-alerts.ts': [/^[A-Z_]+ acknowledged: Known issue, the disks are being replaced\.$/],
  'add-middleware.ts': ['listAlerts attempt 1 status 200', 'alerts: 2, has a request ID: true'],
  'cancel-and-limit.ts': [
    'the user left the page',
    'listMatcherFieldNames: no complete response within 20 ms',
  ],
  'create-search-index.ts': ['everything is READY', 'the same index: true'],
  'cut-over-migration.ts': ['ready, lag in seconds: 0', 'the migration is COMPLETE'],
  'handle-errors.ts': ['404 RESOURCE_NOT_FOUND', '404 Not Found /groups/{groupId}/alerts/{alertId}'],
  'keep-big-integers.ts': [/integer 9007199254740993 is above 2\^53/, 'bigint 9007199254740993n'],
  'list-alerts.ts': [/^\d{4}-.+Z [A-Z_]+ OPEN$/],
  'log-and-trace.ts': [
    /^debug svc-admin response .*"operationId":"listAlerts".*"status":200/,
    'span GET /groups/{groupId}/alerts',
  ],
  'pin-versions.ts': [
    'listCollectionFtsIndexes of 2023-01-01 is deprecated since 2024-05-30',
    'response version 2024-05-30',
    'response version 2023-01-01',
  ],
  'share-token.ts': ['first sees 2 alerts; tokens requested: 1', 'second sees 2 alerts; tokens requested: 1'],
  'small-bundle.ts': [/^(OPEN|TRACKING)$/],
  'take-snapshot.ts': [/^read \d+: completed$/, 'Before the migration is completed'],
  'test-a-program.ts': ['requests: 2'],
}

const waiting = ['create-search-index.ts', 'cut-over-migration.ts', 'take-snapshot.ts']

let server: RunningServer
beforeAll(async () => {
  server = await startServer({ sandbox: true })
})
afterAll(() => server.stop())
beforeEach(() => control('/reset', 'POST', {}))

async function control(path: string, method: string, body: object): Promise<void> {
  const response = await fetch(server.controlUrl + path, { method, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
}

test('every example has expected output', () => {
  expect(readdirSync(folder).sort()).toEqual([...Object.keys(expected), 'environment.ts'].sort())
})

test.each(Object.entries(expected))('%s prints its expected output', async (name, lines) => {
  // At this clock rate, operations that take minutes on the server finish before the second read.
  await control('/clock', 'PUT', { rate: waiting.includes(name) ? 200 : 1 })
  const { key, account } = credentialsOf('Organization owner')
  const env = {
    PATH: process.env.PATH,
    SVC_BASE_URL: server.url,
    SVC_GROUP_ID: groupId,
    SVC_CLUSTER: clusterName,
    SVC_PUBLIC_KEY: key.publicKey,
    SVC_PRIVATE_KEY: key.privateKey,
    SVC_CLIENT_ID: account.clientId,
    SVC_CLIENT_SECRET: account.clientSecret,
  }
  const { stdout, stderr } = await run(process.execPath, ['--import', loader, name], { cwd: folder, env })
  expect(stderr).toBe('')
  const printed = stdout.trim().split('\n')
  for (const line of lines) {
    if (typeof line === 'string') expect(printed).toContain(line)
    else expect(printed).toContainEqual(expect.stringMatching(line))
  }
  expect(stdout).not.toContain(key.privateKey)
  expect(stdout).not.toContain(account.clientSecret)
})
