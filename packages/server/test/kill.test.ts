import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { demoSecrets, newest, projectId, startChecked } from './checked-server.ts'
import { digestHeader, nonceOf } from './digest-client.ts'

/**
 * Kills the server with SIGKILL while clients write, and looks for every write that was acknowledged. A few rounds
 * here; as many as anybody wants in the soak.
 */
const rounds = 3
const writers = 4
const writesBeforeKill = 60

const folder = mkdtempSync(join(tmpdir(), 'kill-'))
const database = join(folder, 'server.db')
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

const root = join(import.meta.dirname, '..')
const flags = ['--import', 'tsx', '--conditions=@svc-admin/source', join(root, 'src/main.ts')]
const options = ['--port', '0', '--database', database, '--seed-demo', '--log-level', 'info']

async function start(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [...flags, ...options], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (chunk) => resolve(String(chunk)))
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}`)))
  })
  // Nobody reads the log of its requests, and a full pipe would stop it.
  child.stdout?.resume()
  return { child, url: Object(JSON.parse(line.split('\n')[0] ?? '')).url }
}

const path = `/api/svc/v2/groups/${projectId}/alertConfigs`

/** Creates configurations until the server is gone; answers the ids of those that were acknowledged. */
async function write(url: string, acknowledged: string[], enough: () => void): Promise<void> {
  const challenge = await fetch(url + path, { headers: { accept: newest } })
  const nonce = nonceOf(challenge.headers.get('www-authenticate'))
  const secret = demoSecrets.get('orgowner') ?? ''
  for (let count = 1; ; count += 1) {
    const parts = { username: 'orgowner', secret, nonce, method: 'POST', uri: path, count }
    const headers = { authorization: digestHeader(parts), accept: newest, 'content-type': newest }
    const body = JSON.stringify({ eventTypeName: 'HOST_DOWN', notifications: [] })
    try {
      const answer = await fetch(url + path, { method: 'POST', headers, body })
      acknowledged.push(String(Object(await answer.json()).id))
    } catch {
      return
    }
    if (acknowledged.length >= writesBeforeKill) enough()
  }
}

it('loses no write that it acknowledged to SIGKILL', { timeout: 120_000 }, async () => {
  const acknowledged: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const { child, url } = await start()
    const written: string[] = []
    const enough = () => child.kill('SIGKILL')
    await Promise.all(Array.from({ length: writers }, () => write(url, written, enough)))
    acknowledged.push(...written)
  }
  const server = await startChecked({ database })
  const kept = new Set<string>()
  for (let page = 1; ; page += 1) {
    const list = await server.ask(`/groups/${projectId}/alertConfigs?itemsPerPage=500&pageNum=${page}`)
    const results: { id: string }[] = Object(list.body).results
    for (const { id } of results) kept.add(id)
    if (results.length < 500) break
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(rounds * writesBeforeKill)
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
})
