import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, test } from 'vitest'

const docs = fileURLToPath(new URL('../../', import.meta.url))
const client = new Client({ name: 'test', version: '0' })

/** The folder where the test installs the packed package. */
let folder = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-admin-docs-packed-'))
  const run = (cwd: string, ...args: string[]) =>
    execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  run(docs, 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder)
  const [tarball = ''] = readdirSync(folder)
  run(
    folder,
    'install',
    '--silent',
    '--offline',
    '--no-audit',
    '--no-fund',
    '--prefix',
    folder,
    join(folder, tarball),
  )
  // The test runs the command from the README in a folder without packages.
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  const [json = ''] = /^\{ "mcpServers": .*\}$/m.exec(readFileSync(join(docs, 'README.md'), 'utf8')) ?? []
  const { command, args } = JSON.parse(json).mcpServers['svc-admin']
  const actual = args.map((arg: string) => arg.replace(/\/path\/to\/.*\.tgz$/, join(folder, tarball)))
  await client.connect(new StdioClientTransport({ command, args: actual, cwd: empty, stderr: 'ignore' }))
}, 120_000)
afterAll(async () => {
  await client.close()
  rmSync(folder, { recursive: true, force: true })
})

async function call(name: string, given: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: given })
  const [first] = Array.isArray(content) ? content : []
  return String(first?.text)
}

test('the packed package needs no other package', () => {
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    '@svc-admin',
  ])
  expect(readdirSync(join(folder, 'node_modules/@svc-admin'))).toEqual(['docs'])
})

test('the packed server searches and reads', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['search', 'read'])
  const found = await call('search', { query: 'verify a webhook signature', limit: 1 })
  const [, path = ''] = /\((\S+)\)/.exec(found) ?? []
  expect(path).toMatch(/^guides\/webhooks\//)
  expect(await call('read', { path })).toMatch(/^# Receive webhooks\n/)
})

test('the packed server reads a page of an older version', async () => {
  expect(await call('read', { path: '/2023-01-01/operations/getAlert/' })).toMatch(/^# Get an alert\n/)
  expect(await call('read', { path: '/v1.0/schemas/SlackNotification/' })).toMatch(
    /\n### .*SlackNotification\n/,
  )
})
