import { afterEach, expect, test } from 'vitest'
import { type RunningServer, startServer } from '../start-server.ts'

let server: RunningServer | undefined
afterEach(() => server?.stop())

test('a seeded sandbox hands out credentials that it takes', async () => {
  server = await startServer({ sandbox: true, seedDemo: true })
  const answer = await fetch(`${server.url}/sandbox/credentials.json`)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const {
    baseUrl,
    serviceAccount,
  }: { baseUrl: string; serviceAccount: { clientId: string; clientSecret: string } } = await answer.json()
  expect(baseUrl).toBe(server.url)
  const basic = Buffer.from(`${serviceAccount.clientId}:${serviceAccount.clientSecret}`).toString('base64')
  const token = await fetch(`${baseUrl}/api/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  })
  expect(token.status).toBe(200)
})

test('a server that is no sandbox hands out nothing', async () => {
  server = await startServer({ sandbox: false, seedDemo: true })
  expect((await fetch(`${server.url}/sandbox/credentials.json`)).status).toBe(404)
})
