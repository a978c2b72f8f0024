import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createClient, isErrorCode, type v2025_03_12 } from '@svc-admin/client'
import { type RunningServer, startServer } from '@svc-admin/server'
import { loadDemo } from '@svc-admin/spec'
import { versions } from '@svc-admin/types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { groupId, owner } from './demo.ts'

const run = promisify(execFile)
const { key: digest, account: oauth } = owner

let server: RunningServer
beforeAll(async () => {
  server = await startServer({ sandbox: true })
})
afterAll(() => server.stop())

const clientOf = (credentials: typeof digest | typeof oauth) =>
  createClient({ baseUrl: server.url, credentials, version: '2025-03-12' })

test('Digest and a service account get the same response', async () => {
  const withDigest = await clientOf(digest).listAlerts({ groupId })
  const withToken = await clientOf(oauth).listAlerts({ groupId })
  expect(withDigest).toEqual(withToken)
  expect(withDigest.totalCount).toBe(2)
})

test('curl gets the same responses as the client, with Digest and with a token', async () => {
  const url = `${server.url}/api/svc/v2/groups/${groupId}/alerts`
  const accept = ['-sS', '--fail', '-H', `Accept: ${versions.at(-1)?.mediaType}`]
  const user = `${digest.publicKey}:${digest.privateKey}`
  const byDigest = await run('curl', [...accept, '--digest', '-u', user, url])
  const basic = [
    '-sS',
    '--fail',
    '-u',
    `${oauth.clientId}:${oauth.clientSecret}`,
    '-d',
    'grant_type=client_credentials',
  ]
  const { stdout } = await run('curl', [...basic, `${server.url}/api/oauth/token`])
  const token: { access_token: string } = JSON.parse(stdout)
  const byToken = await run('curl', [...accept, '-H', `Authorization: Bearer ${token.access_token}`, url])
  const expected = await clientOf(digest).listAlerts({ groupId })
  expect(JSON.parse(byDigest.stdout)).toEqual(expected)
  expect(JSON.parse(byToken.stdout)).toEqual(expected)
})

test('creates, lists, gets, updates and deletes a resource', async () => {
  const client = clientOf(oauth)
  const body: v2025_03_12.AlertConfigRequestInput = {
    eventTypeName: 'HOST_DOWN',
    notifications: [{ typeName: 'EMAIL', emailAddress: 'a@lindgren.example' }],
  }
  const created = await client.createAlertConfig({ groupId, body })
  expect(created.enabled).toBe(false)
  const listed: string[] = []
  for await (const config of client.listAlertConfigs.items({ groupId, itemsPerPage: 1 }))
    listed.push(config.id)
  expect(listed).toContain(created.id)
  expect(new Set(listed).size).toBe(listed.length)
  const alertConfigId = created.id
  const toggled = await client.toggleAlertConfig({ groupId, alertConfigId, body: { enabled: true } })
  expect(toggled).toMatchObject({ ...body, enabled: true, id: alertConfigId })
  await client.deleteAlertConfig({ groupId, alertConfigId })
  const error = await client.getAlertConfig({ groupId, alertConfigId }).catch((thrown: unknown) => thrown)
  expect(isErrorCode(error, 'RESOURCE_NOT_FOUND')).toBe(true)
})

test('an acknowledgment uses the version of the client', async () => {
  const alertId = String(loadDemo().alerts?.[0]?.id)
  const newest = clientOf(digest)
  const oldest = createClient({ baseUrl: server.url, credentials: digest, version: '2023-01-01' })
  const acknowledgedUntil = new Date((await server.world.clock.now()) + 3_600_000).toISOString()
  const acknowledged = await newest.acknowledgeAlert({ groupId, alertId, body: { acknowledgedUntil } })
  expect(acknowledged.acknowledgedUntil).toBeDefined()
  expect((await newest.acknowledgeAlert({ groupId, alertId, body: {} })).acknowledgedUntil).toBeDefined()
  expect((await oldest.acknowledgeAlert({ groupId, alertId, body: {} })).acknowledgedUntil).toBeUndefined()
})
