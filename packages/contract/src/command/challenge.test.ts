import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listen } from '../../test/console.ts'
import { openJournal } from '../run-context/journal.ts'
import { runCommandLine } from './command.ts'

const groupId = '64b7e1c20f3a5d6e7f809101'

/** Matches the resources that the target has, by method and end of path. All other paths return 404 to every caller. */
let has = /^$/
let requested: string[] = []
const server = createServer(({ method, url = '', headers: { authorization } }, response) => {
  const name = `${method} ${url.split('?')[0]}`
  requested.push(`${authorization ? '' : 'anonymous '}${name}`)
  const challenge = { 'WWW-Authenticate': 'Digest realm="x", nonce="n", qop="auth", algorithm=MD5' }
  const json = { 'Content-Type': 'application/json' }
  if (!has.test(name)) response.writeHead(404, json).end('{}')
  else if (authorization?.includes('right')) response.writeHead(200, json).end('{}')
  else response.writeHead(401, challenge).end()
})
let [folder, baseUrl] = ['', '']
beforeEach(async () => {
  requested = []
  folder = mkdtempSync(join(tmpdir(), 'contract-challenge-'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  rmSync(folder, { recursive: true })
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const call = async (...argv: string[]) => {
  const { console, unwrapped: words } = listen()
  const file = join(folder, 'target.json')
  const roles = { PROJECT_OWNER: { apiKey: { publicKey: 'right', privateKey: 'secret' } } }
  const things = { groupId, orgId: '64b7e0a10f3a5d6e7f809001' }
  writeFileSync(file, JSON.stringify({ baseUrl, things, roles }))
  const code = await runCommandLine([...argv, '--target', file], console)
  return { code, words: words() }
}

test('missing operations do not cast doubt on the address or the credentials', async () => {
  has = /\/awsCustomDNS$/
  const { code, words } = await call('doctor')
  expect(code).toBe(0)
  expect(words).not.toMatch(/rejected:|check that it is the address/)
})

test('if only write operations exist, asks for a challenge with a request that cannot change anything', async () => {
  has = /^POST \S+\/cloudProviderAccess$/
  const run = ['run', '-q', '--operation', 'createCloudProviderAccessRole', '--requirement', 'auth.digest-']
  const { words } = await call(...run)
  expect(words).not.toContain('a Digest challenge (')
  expect(requested.some((one) => one.startsWith('POST '))).toBe(true)
  // Probes for missing operations name a resource that can't exist, so they do no harm.
  const isHarmless = (one: string): boolean => one.includes(`/groups/${'f0'.repeat(12)}/`)
  expect(requested.filter((one) => one.startsWith('anonymous DELETE') && !isHarmless(one))).toEqual([])
  requested = []
  await call(...run, '--read-only')
  expect(requested.filter((one) => !one.startsWith('anonymous GET'))).toEqual([])
})

test('cleanup requests a challenge from an operation that it needs', async () => {
  has = /\/alertConfigs(\/a)?$/
  const journal = join(folder, 'journal')
  openJournal(journal).created({
    operation: 'deleteAlertConfig',
    parameters: { groupId, alertConfigId: 'a' },
  })
  const { code, words } = await call('cleanup', '--journal', journal)
  expect([code, words]).toEqual([0, 'Nothing is left to clean up. '])
  expect(requested.every((one) => one.includes('/alertConfigs'))).toBe(true)
  expect(requested.at(-1)).toMatch(/^DELETE \S+\/alertConfigs\/a$/)
})
