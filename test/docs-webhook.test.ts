import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@svc-admin/client'
import { startServer } from '@svc-admin/server'
import { Webhook } from 'standardwebhooks'
import ts from 'typescript'
import { expect, onTestFinished, test } from 'vitest'
import { clusterName, groupId, owner } from './demo.ts'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const guide = readFileSync(path('../packages/docs/guides/08-webhooks.md'), 'utf8')
const blockOf = (language: string, about: string): string => {
  const blocks = [...guide.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))]
  return blocks.map(([, text = '']) => text).find((text) => text.includes(about)) ?? expect.fail(about)
}
const { webhookSecret: shownSecret } = JSON.parse(blockOf('json', 'webhookSecret'))
const payload = JSON.parse(blockOf('json', 'alert.open'))

/** Returns a free port, for a program that can't choose one itself. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Starts the guide's receiver as a separate program and collects its output. */
async function startGuide(secret: string) {
  mkdirSync(path('./node_modules/'), { recursive: true })
  const folder = mkdtempSync(path('./node_modules/.webhook-'))
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 }
  const { outputText } = ts.transpileModule(blockOf('typescript', 'createServer'), { compilerOptions })
  writeFileSync(join(folder, 'receiver.mjs'), outputText)
  const port = await freePort()
  const env = { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: String(port) }
  const child = execFile(process.execPath, [join(folder, 'receiver.mjs')], { env })
  onTestFinished(() => {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  let printed = ''
  child.stdout?.on('data', (text: string) => {
    printed += text
  })
  const url = `http://127.0.0.1:${port}/`
  await expect
    .poll(
      () =>
        fetch(url).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 120_000 },
    )
    .toBe(400)
  return { url, printed: () => printed }
}

/**
 * Starts a server whose clock shows the time of the payload. The server has one alert, and one configuration that
 * notifies a receiver.
 */
async function startService(webhookUrl: string, webhookSecret = shownSecret) {
  const server = await startServer({ sandbox: true, webhooks: false, webhookLoopback: true, port: 0 })
  onTestFinished(() => server.stop())
  const world = await server.createWorld({
    randomSeed: 'webhook',
    clock: { now: payload.timestamp, rate: 0 },
  })
  const control = async (method: string, at: string, body?: unknown) => {
    const response = await fetch(`${world.controlUrl}${at}`, {
      method,
      ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
    })
    expect([at, response.ok]).toEqual([at, true])
    return response.text().then((text) => (text === '' ? undefined : JSON.parse(text)))
  }
  const client = createClient({ baseUrl: world.url, credentials: owner.key, version: '2025-03-12' })
  const { eventTypeName, severity } = payload.data
  const notifications = [{ typeName: 'WEBHOOK' as const, webhookUrl, webhookSecret }]
  await client.createAlertConfig({
    groupId,
    body: { eventTypeName, enabled: true, severityOverride: severity, notifications },
  })
  await control('POST', '/events', { groupId, eventTypeName, clusterName })
  return { control, deliver: async () => (await control('POST', '/outbox/deliver')).attempts }
}

test("the guide's receiver accepts each payload once and rejects all others", {
  timeout: 120_000,
}, async () => {
  const { url, printed } = await startGuide(shownSecret)
  const { control, deliver } = await startService(url)
  expect(await deliver()).toBe(1)
  const { notifications } = await control('GET', '/outbox')
  expect(notifications.at(-1).delivery).toMatchObject({ outcome: 'delivered', lastAttempt: { status: 204 } })
  await expect.poll(printed).toContain("type: 'alert.open'")
  const id = 'msg_1'
  const post = (sentAt: Date, body: string, signed = body) =>
    fetch(url, {
      method: 'POST',
      body,
      headers: {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
        'webhook-signature': new Webhook(shownSecret).sign(id, sentAt, signed),
      },
    }).then(({ status }) => status)
  const now = new Date()
  const twice = JSON.stringify({ ...payload, type: 'alert.closed' })
  expect(await post(now, twice)).toBe(204)
  expect(await post(now, twice)).toBe(204)
  expect(printed().match(/alert\.closed/g)).toHaveLength(1)
  expect(await post(now, '{"a":"false"}', '{}')).toBe(400)
  expect(await post(new Date(now.getTime() - 600_000), '{}')).toBe(400)
})

/** Starts a receiver that rejects all requests. Returns its address and the requests that it receives. */
async function startRefusing() {
  const received: { body: string; headers: IncomingHttpHeaders }[] = []
  const receiver = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    received.push({ body: Buffer.concat(parts).toString(), headers: request.headers })
    response.writeHead(500).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  onTestFinished(() => void receiver.close())
  const { port } = receiver.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, received }
}

test('the payload, headers and attempts match the guide', { timeout: 120_000 }, async () => {
  const { url, received } = await startRefusing()
  const { control, deliver } = await startService(url)
  expect(await deliver()).toBe(1)
  expect(JSON.parse(received[0]?.body ?? '')).toEqual(payload)
  const headerTable = guide.slice(guide.indexOf('| Header |'))
  const documented = [...headerTable.matchAll(/^\| `([A-Za-z-]+)` \|/gm)].map(([, name = '']) =>
    name.toLowerCase(),
  )
  expect(documented.length).toBeGreaterThan(3)
  expect(documented.filter((name) => received[0]?.headers[name] === undefined)).toEqual([])
  const [, list = ''] = /retries the delivery after (.*?h)\. /.exec(guide) ?? []
  const seconds: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600 }
  const waits = [...list.matchAll(/(\d+) (s|min|h)\b/g)].map(
    ([, count, unit = '']) => Number(count) * (seconds[unit] ?? 0),
  )
  expect(waits.length).toBeGreaterThan(5)
  for (const wait of waits) {
    await control('PUT', '/clock', { advanceSeconds: wait - 1 })
    expect([wait, await deliver()]).toEqual([wait, 0])
    await control('PUT', '/clock', { advanceSeconds: 1 })
    expect([wait, await deliver()]).toEqual([wait, 1])
  }
  await control('PUT', '/clock', { advanceSeconds: 10 * 86_400 })
  expect(await deliver()).toBe(0)
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})

test('verifies a secret without the whsec_ format as the guide describes', { timeout: 120_000 }, async () => {
  expect(guide).toContain("new Webhook(Buffer.from(secret), { format: 'raw' })")
  const { url, received } = await startRefusing()
  const secret = 'kein Geheimnis für Fremde'
  const { deliver } = await startService(url, secret)
  expect(await deliver()).toBe(1)
  const { body = '', headers } = received[0] ?? { headers: {} }
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  const webhook = new Webhook(Buffer.from(secret), { format: 'raw' })
  expect(webhook.verify(body, given)).toMatchObject({ type: 'alert.open' })
})

/** Programs that read messages from standard input and print the result of the guide's function. */
const verifiers = {
  python: {
    command: 'python3',
    args: ['main.py'],
    files: () => ({
      'main.py': `${blockOf('python', 'def verify')}
import json, sys
for secret, headers, body in json.load(sys.stdin):
    print(verify(secret, headers, body.encode()))
`,
    }),
  },
  go: {
    command: 'go',
    args: ['run', '.'],
    files: () => ({
      'go.mod': 'module example/receiver\n\ngo 1.21\n',
      'webhook/verify.go': blockOf('go', 'func Verify'),
      'main.go': `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"example/receiver/webhook"
)

func main() {
	var messages [][3]json.RawMessage
	if err := json.NewDecoder(os.Stdin).Decode(&messages); err != nil {
		panic(err)
	}
	for _, message := range messages {
		var secret, body string
		var fields map[string]string
		_ = json.Unmarshal(message[0], &secret)
		_ = json.Unmarshal(message[1], &fields)
		_ = json.Unmarshal(message[2], &body)
		header := http.Header{}
		for name, value := range fields {
			header.Set(name, value)
		}
		fmt.Println(webhook.Verify(secret, header, []byte(body)))
	}
}
`,
    }),
  },
}

const isInstalled = (command: string): boolean =>
  spawnSync(command, [command === 'go' ? 'version' : '--version']).status === 0

test.for(Object.keys(verifiers) as (keyof typeof verifiers)[])(
  "the guide's %s function accepts genuine messages only",
  { timeout: 120_000 },
  (language, { skip }) => {
    const { command, args, files } = verifiers[language]
    skip(!isInstalled(command), `${command} is not installed`)
    const folder = mkdtempSync(join(tmpdir(), 'svc-admin-webhook-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    for (const [name, text] of Object.entries(files())) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    const message = (sentAt: Date, signed: string, body = signed, before = '') => [
      shownSecret,
      {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
        'webhook-signature': before + new Webhook(shownSecret).sign('msg_1', sentAt, signed),
      },
      body,
    ]
    const now = new Date()
    const old = new Date(now.getTime() - 600_000)
    const messages = [
      message(now, '{"a":1}'),
      message(now, '{"a":1}', '{"a":1}', 'v1,AAAA v1a,BBBB '),
      message(now, '{"a":1}', '{"a":2}'),
      message(old, '{"a":1}'),
    ]
    const { stdout, stderr } = spawnSync(command, args, {
      cwd: folder,
      input: JSON.stringify(messages),
      encoding: 'utf8',
      env: { ...process.env, GOTOOLCHAIN: 'local' },
    })
    expect([stdout.toLowerCase().trim().split('\n'), stderr]).toEqual([
      ['true', 'true', 'false', 'false'],
      '',
    ])
  },
)
