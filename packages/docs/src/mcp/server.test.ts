import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, test } from 'vitest'

const client = new Client({ name: 'test', version: '0' })
const bin = fileURLToPath(new URL('../../bin/svc-admin-docs.js', import.meta.url))

beforeAll(
  () => client.connect(new StdioClientTransport({ command: process.execPath, args: [bin, 'mcp'] })),
  60_000,
)
afterAll(() => client.close())

/** Calls a tool and returns the result's text. */
async function call(
  name: string,
  given: Record<string, unknown>,
): Promise<{ text: string; isError: boolean }> {
  const { content, isError = false } = await client.callTool({ name, arguments: given })
  const [first] = Array.isArray(content) ? content : []
  return { text: String(first?.text), isError: Boolean(isError) }
}

test('lists the tools with their schemas', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name, inputSchema }) => [name, inputSchema.required])).toEqual([
    ['search', ['query']],
    ['read', ['path']],
  ])
})

test('finds a page and reads it', async () => {
  const { text } = await call('search', { query: 'How do I create an alert on CPU usage?', limit: 3 })
  expect(text.match(/^- /gm)).toHaveLength(3)
  const [, path] = /\((\S+)\)/.exec(text) ?? []
  expect(path).toBe('guides/alerts/#metric-alerts')
  const section = (await call('read', { path })).text
  expect(section).toMatch(/^# Watch clusters with alerts\n\n## Metric alerts\n/)
  expect(section).not.toContain('## Follow an alert')
})

test('reads an operation at a version that shares its page', async () => {
  const { text } = await call('search', { query: 'acknowledgeAlert', version: '2024-05-30', limit: 1 })
  const [, path = ''] = /\((\S+)\)/.exec(text) ?? []
  expect((await call('read', { path })).text).toMatch(/^# Acknowledge or unacknowledge an alert\n/)
  const other = await call('read', { path: '/2024-05-30/operations/acknowledgeAlert/' })
  expect(other.text).toMatch(/^# Acknowledge or unacknowledge an alert\n/)
})

test('names the version that has an operation', async () => {
  const { text } = await call('search', { query: 'createSearchNodes', version: 'v1.0' })
  expect(text).toMatch(/^Not available in v1\.0, but available in \d{4}-\d\d-\d\d\.\n- Operation: /)
})

test('explains wrong arguments', async () => {
  for (const [name, given, message] of [
    ['read', { path: '/nowhere/' }, 'Page /nowhere/ not found. Use the search tool to find the right path.'],
    [
      'read',
      { path: '../../package.json' },
      'Page /package.json not found. Use the search tool to find the right path.',
    ],
    ['search', {}, 'query must be a string with at least one character.'],
    ['search', { query: 'alert', version: 'v9' }, /^Unknown version v9\. The versions are v1\.0, /],
    ['write', {}, 'Unknown tool write. The tools are search and read.'],
  ] as const)
    expect(await call(name, given)).toEqual({
      text: typeof message === 'string' ? message : expect.stringMatching(message),
      isError: true,
    })
})
