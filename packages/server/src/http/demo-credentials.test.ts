import { afterEach, expect, test } from 'vitest'
import { rawRequest } from '../../test/raw-request.ts'
import { requestToken } from '../../test/token.ts'
import type { RunningServer } from '../running-server.ts'
import { startServer } from '../start-server.ts'

let server: RunningServer | undefined
afterEach(() => server?.stop())

test('a seeded sandbox returns working credentials', async () => {
  server = await startServer({ sandbox: true, seedDemo: true })
  const response = await fetch(`${server.url}/sandbox/credentials.json`)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const {
    baseUrl,
    serviceAccount,
  }: { baseUrl: string; serviceAccount: { clientId: string; clientSecret: string } } = await response.json()
  expect(baseUrl).toBe(server.url)
  expect((await requestToken(baseUrl, serviceAccount)).status).toBe(200)
})

const statusFor = async (host: string) => {
  const head = `GET /sandbox/credentials.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  return (await rawRequest(server?.url ?? '', head)).status
}

test('a sandbox on loopback returns no credentials for a foreign name', async () => {
  server = await startServer({ sandbox: true, seedDemo: true, publicUrl: 'https://Docs.example:8443/x' })
  for (const host of ['localhost:1', '127.0.0.1', '[::1]:80', 'docs.example', 'DOCS.example:8443']) {
    expect([host, await statusFor(host)]).toEqual([host, 200])
  }
  for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80']) {
    expect([host, await statusFor(host)]).toEqual([host, 404])
  }
})

test('a sandbox that listens beyond loopback returns them for any name', async () => {
  server = await startServer({ sandbox: true, seedDemo: true, host: '0.0.0.0' })
  expect(await statusFor('sandbox.example')).toBe(200)
})

test('a server without a sandbox returns no credentials', async () => {
  server = await startServer({ sandbox: false, seedDemo: true })
  expect((await fetch(`${server.url}/sandbox/credentials.json`)).status).toBe(404)
})
