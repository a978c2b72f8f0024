import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type RunningServer, startServer } from '@svc-admin/server'
import { loadDemo } from '@svc-admin/spec'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installPacked } from '../packages/client/test/packed.ts'
import { clusterName, credentialsOf, groupId } from './demo.ts'

const run = promisify(execFile)
const readme = readFileSync(new URL('../packages/client/README.md', import.meta.url), 'utf8')
const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)

const { key, account } = credentialsOf('Project owner')
const alertId = String(loadDemo().alerts?.[0]?.id)

/** Names that the code blocks in the README assume. If a block declares a name itself, the test doesn't add it. */
const assumed: Readonly<Record<string, string>> = {
  groupId: `'${groupId}'`,
  clusterName: `'${clusterName}'`,
  alertId: `'${alertId}'`,
  account: JSON.stringify(account),
  credentials: JSON.stringify(key),
  webhookSecret: `'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'`,
  tracer: `{ startSpan: () => ({ setAttribute() {}, addEvent() {}, setStatus() {}, end() {}, spanContext: () => ({ traceId: 'a', spanId: 'b', traceFlags: 1 }) }) }`,
  client: `given.createClient({ baseUrl: 'https://cloud.example.com', credentials: ${JSON.stringify(key)}, version: '2025-03-12' })`,
}

/** Sends a signed message and an unsigned message to one of the README's receivers. */
const delivery = `
await new Promise((resolve) => receiver.listen(0, '127.0.0.1', () => resolve(undefined)))
const { signWebhook } = await import('@svc-admin/client/testing')
const message = JSON.stringify({ type: 'alert.open', timestamp: '2025-11-18T09:24:51Z', data: { eventTypeName: 'HOST_DOWN' } })
const target = \`http://127.0.0.1:\${(receiver.address() as { port: number }).port}\`
for (const headers of [await signWebhook(message, webhookSecret), {}]) await fetch(target, { method: 'POST', body: message, headers })
receiver.close()
`

function programOf(code: string): string {
  const lines = Object.entries(assumed)
    .filter(([name]) => new RegExp(`\\b${name}\\b`).test(code) && !new RegExp(`const ${name}\\b`).test(code))
    .map(([name, value]) => `const ${name} = ${value}\n`)
  const after = code.includes('const receiver') ? delivery : ''
  return `import * as given from '@svc-admin/client'\nvoid given\n${lines.join('')}${code}${after}`
}

const folder = mkdtempSync(join(tmpdir(), 'client-readme-'))
let server: RunningServer
beforeAll(async () => {
  installPacked(folder)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  server = await startServer({ sandbox: true })
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('every code block of the README compiles unchanged', async () => {
  const files = blocks.map((_, index) => `block-${index}.ts`)
  blocks.forEach((code, index) => {
    writeFileSync(join(folder, `block-${index}.ts`), programOf(code))
  })
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable', 'esnext.disposable'],
    types: ['node'],
    typeRoots: [join(createRequire(import.meta.url).resolve('@types/node/package.json'), '../..')],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  const compiler = fileURLToPath(new URL('../scripts/tsc.mjs', import.meta.url))
  const { stdout } = await run(process.execPath, [compiler], { cwd: folder }).catch((error) => error)
  expect(stdout).toBe('')
}, 300_000)

test.each(blocks.map((code, index) => [index, code]))(
  'block %i runs against the server',
  async (index, code) => {
    await fetch(`${server.controlUrl}/reset`, { method: 'POST', body: '{}' })
    await fetch(`${server.controlUrl}/clock`, { method: 'PUT', body: '{"rate":200}' })
    const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 }
    const { outputText } = ts.transpileModule(programOf(code), { compilerOptions })
    // A stub responds at any address. All other blocks send their requests to the server.
    const text = code.includes('fetch,')
      ? outputText
      : outputText.replaceAll('https://cloud.example.com', server.url)
    writeFileSync(join(folder, `block-${index}.js`), text)
    const env = {
      PATH: process.env.PATH,
      PUBLIC_KEY: key.publicKey,
      PRIVATE_KEY: key.privateKey,
      GROUP_ID: groupId,
      SVC_BASE_URL: server.url,
      SVC_PUBLIC_KEY: key.publicKey,
      SVC_PRIVATE_KEY: key.privateKey,
    }
    const { stdout } = await run(process.execPath, [`block-${index}.js`], { cwd: folder, env })
    expect(stdout).not.toBe('')
    if (code.includes('const receiver')) expect(stdout).toBe('alert.open HOST_DOWN\nheaders\n')
    expect(stdout).not.toContain(key.privateKey)
  },
)
