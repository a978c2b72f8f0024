import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { roles } from '@svc-admin/types'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { demoSecrets, newest, projectId, startChecked } from '../test/checked-server.ts'
import { persistentDatabase } from '../test/databases.ts'
import { rawRequest } from '../test/raw-request.ts'
import { requestToken } from '../test/token.ts'
import { isRole } from './domain/roles.ts'
import type { World } from './index.ts'
import { UnavailableError } from './persistence/database.ts'
import { overview } from './persistence/overview.ts'
import { settings } from './persistence/settings.ts'
import { seedDemoOnce } from './sandbox/control.ts'
import { startServer } from './start-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'server-'))
afterAll(() => rmSync(folder, { recursive: true }))

const roleIds = Object.keys(roles).filter(isRole)
const configs = `/groups/${projectId}/alertConfigs`
const json = { eventTypeName: 'HOST_DOWN', notifications: [] }

describe('a server', () => {
  it('retains its data when it restarts on the same file', async () => {
    const database = join(folder, 'again.db')
    const first = await startChecked({ database })
    const created = await first.ask(configs, { method: 'POST', json })
    await first.stop()
    const second = await startChecked({ database })
    expect((await second.ask(`${configs}/${created.textAt('id')}`)).at('eventTypeName')).toBe('HOST_DOWN')
  })

  it("doesn't recreate deleted demo resources when it restarts", async () => {
    const database = join(folder, 'removed.db')
    const first = await startChecked({ database })
    const id = (await first.ask(configs)).textAt('results', 0, 'id')
    await first.ask(`${configs}/${id}`, { method: 'DELETE' })
    await first.stop()
    const second = await startChecked({ database })
    expect((await second.ask(`${configs}/${id}`)).status).toBe(404)
  })

  it('logs a warning and adds no demo if the database has another organization', async () => {
    const database = await persistentDatabase()
    const first = await startChecked({ database, seedDemo: false })
    await first.control('POST', '/seed', { organizations: [{ id: '5'.repeat(24), name: 'Acme' }] })
    await first.stop()
    const lines: string[] = []
    const writeLog = (text: string) => void lines.push(text)
    const second = await startChecked({ database, logLevel: 'warn', writeLog })
    expect(await overview.organizations(second.world.database)).toEqual([
      { id: '5'.repeat(24), name: 'Acme' },
    ])
    expect((await second.ask(configs)).status).toBe(401)
    expect(() => second.demo()).toThrow('not empty')
    await second.stop()
    expect(lines.join('')).toContain('demo organization skipped')
  })

  it('adds the demo atomically', async () => {
    const database = await persistentDatabase()
    const first = await startChecked({ database, seedDemo: false })
    const broken = vi.spyOn(settings, 'set').mockRejectedValueOnce(new Error('killed'))
    await expect(seedDemoOnce(first.world)).rejects.toThrow('killed')
    broken.mockRestore()
    expect(await overview.organizations(first.world.database)).toEqual([])
    expect(await seedDemoOnce(first.world)).toBe(true)
    expect(await seedDemoOnce(first.world)).toBe(true)
    expect((await first.ask(configs)).status).toBe(200)
  })

  it('treats nonces from before a restart as stale, so that clients can retry without prompting', async () => {
    const database = join(folder, 'nonces.db')
    const first = await startChecked({ database })
    const nonce = first.world.nonces.issue(await first.world.clock.now())
    await first.stop()
    const second = await startChecked({ database })
    expect(second.world.nonces.check(nonce, await second.world.clock.now()).state).toBe('expired')
  })

  it('returns 200 from the health checks without credentials', async () => {
    const server = await startChecked()
    for (const path of ['/healthz', '/readyz']) {
      const response = await fetch(server.url + path)
      expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }])
    }
  })

  it('supports only GET, HEAD and OPTIONS for health checks and metrics', async () => {
    const server = await startChecked({ metrics: true })
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      const ask = async (method: string) => {
        const { status, headers } = await fetch(server.url + path, { method })
        return { status, id: headers.get('x-request-id'), allow: headers.get('allow') }
      }
      const id = expect.stringMatching(/./)
      for (const method of ['GET', 'HEAD'])
        expect(await ask(method)).toEqual({ status: 200, id, allow: null })
      const allow = 'GET, HEAD, OPTIONS'
      for (const method of ['POST', 'DELETE']) expect(await ask(method)).toEqual({ status: 405, id, allow })
      expect(await ask('OPTIONS')).toEqual({ status: 204, id, allow })
    }
  })

  it.each([
    [
      'is unavailable returns 503 with Retry-After',
      new UnavailableError('unavailable', { cause: new Error('no such host') }),
      503,
      'UNAVAILABLE',
    ],
    ['fails unexpectedly returns 500', new Error('password of the database'), 500, 'UNEXPECTED_ERROR'],
  ])('whose database %s, and shows the cause only in the log', async (_, failure, status, errorCode) => {
    const lines: string[] = []
    const server = await startServer({ logLevel: 'error', writeLog: (text) => lines.push(text) })
    onTestFinished(() => server.stop())
    const why = failure.cause instanceof Error ? failure.cause.message : failure.message
    const fail = () => Promise.reject(failure)
    Object.assign(server.world.database, { all: fail, one: fail, transaction: fail })
    const response = await fetch(`${server.url}/api/svc/v2${configs}`, {
      headers: { authorization: 'Bearer x' },
    })
    const text = await response.text()
    expect([response.status, JSON.parse(text).errorCode]).toEqual([status, errorCode])
    expect(response.headers.has('retry-after')).toBe(status === 503)
    expect(text).not.toContain(why)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503)
    await server.stop()
    expect(lines.join('')).toContain(why)
    if (status === 500) expect(lines.join('')).toContain(response.headers.get('x-request-id') ?? '-')
  })

  it("logs the number of database failures even if the database can't be closed", async () => {
    const lines: string[] = []
    const server = await startServer({ logLevel: 'error', writeLog: (text) => lines.push(text) })
    const full = new UnavailableError('unavailable', { cause: new Error('disk full') })
    const { close } = server.world.database
    Object.assign(server.world.database, {
      one: () => Promise.reject(full),
      close: () => Promise.reject(full),
    })
    const headers = { authorization: 'Bearer x' }
    for (let count = 0; count < 3; count += 1) await fetch(`${server.url}/api/svc/v2${configs}`, { headers })
    await expect(server.stop()).rejects.toThrow(full)
    expect(lines.join('')).toMatch(/"database still unavailable".*"disk full","failures":\d/)
    await close()
  })

  it('finishes in-flight requests when it stops, and accepts no new ones', async () => {
    const server = await startChecked()
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    await new Promise((resolve) => socket.once('connect', resolve))
    const headers = `Host: x\r\nAccept: ${newest}\r\nContent-Type: application/x-www-form-urlencoded\r\n`
    const basic = Buffer.from('svc_sa_orgowner:svc_ss_demo01Qm3nJ7cT5pXh2dR8vKw01').toString('base64')
    const body = 'grant_type=client_credentials'
    const head = `POST /api/oauth/token HTTP/1.1\r\n${headers}Authorization: Basic ${basic}\r\n`
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`)
    await new Promise((resolve) => setImmediate(resolve))
    const received = new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))))
    await fetch(`${server.url}/healthz`)
    const stopping = server.stop()
    socket.write(body.slice(5))
    expect(await received).toMatch(/^HTTP\/1\.1 200.*\r\nconnection: close\r\n/is)
    await stopping
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
  })

  it.each(['url', 'controlUrl'] as const)(
    "disconnects clients that don't read the response: %s",
    async (at) => {
      const docs = join(folder, `large-${at}`)
      mkdirSync(docs)
      writeFileSync(join(docs, 'index.html'), '')
      writeFileSync(join(docs, 'large.txt'), Buffer.alloc(32 * 1024 * 1024))
      const server = await startChecked({ docs, headersTimeout: 300, requestTimeout: 300 })
      const { hostname, port } = new URL(server[at] ?? '')
      const socket = connect(Number(port), hostname).pause()
      onTestFinished(() => void socket.destroy())
      const gone = new Promise((resolve) => socket.once('close', resolve))
      socket.on('error', () => {})
      const one = at === 'url' ? '/large.txt' : '/page.js'
      socket.write(`GET ${one} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(at === 'url' ? 1 : 4000))
      // If a socket isn't being read, it only notices that its connection has ended when it writes.
      const knocking = setInterval(() => socket.write('\r\n'), 100)
      onTestFinished(() => clearInterval(knocking))
      await gone
      expect((await server.ask(configs)).status).toBe(200)
    },
  )

  it('stops in time when a request to the control interface never ends', async () => {
    const server = await startChecked({ stopTimeout: 200 })
    const { hostname, port } = new URL(server.controlUrl ?? '')
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    socket.write('POST /reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{')
    await server.control('GET', '/clock')
    const stopped = server.stop().then(() => true)
    expect(await Promise.race([stopped, wait(5000, false)])).toBe(true)
  })

  it("stops in time and logs an error when its database doesn't close", async () => {
    const lines: string[] = []
    const writeLog = (text: string) => void lines.push(text)
    const server = await startServer({ stopTimeout: 0, logLevel: 'error', writeLog })
    const close = vi.spyOn(server.world.database, 'close').mockReturnValue(new Promise(() => {}))
    await expect(server.stop()).rejects.toThrow('The database did not close in time')
    expect(lines.join('')).toContain('"failed to stop cleanly"')
    close.mockRestore()
    await server.world.database.close()
  })

  it('disconnects clients that send a request to the control interface too slowly', async () => {
    const server = await startChecked({ headersTimeout: 200, requestTimeout: 200 })
    const bytes = 'POST /reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{'
    expect((await rawRequest(server.controlUrl ?? '', bytes)).status).toBe(408)
  })

  it('rejects a port in use, and releases the database', async () => {
    const server = await startChecked()
    const database = join(folder, 'port.db')
    const port = Number(new URL(server.url).port)
    await expect(startChecked({ port, database })).rejects.toThrow(/EADDRINUSE/)
    await startChecked({ database })
  })

  it('returns working demo credentials for every role', async () => {
    const server = await startChecked()
    const { groupId, clusterNames, credentialsOf } = server.demo()
    expect(groupId).toBe(projectId)
    expect(clusterNames).toContain('orders-eu')
    for (const role of roleIds) {
      const { apiKey, serviceAccount } = credentialsOf(role)
      expect(demoSecrets.get(apiKey.publicKey)).toBe(apiKey.privateKey)
      expect([role, (await requestToken(server.url, serviceAccount)).status]).toEqual([role, 200])
    }
    expect((await server.ask(configs, { as: credentialsOf('PROJECT_OWNER').apiKey.publicKey })).status).toBe(
      200,
    )
  })

  it('throws from demo() if it was started without the demo', async () => {
    const server = await startChecked({ seedDemo: false })
    expect(() => server.demo()).toThrow(/'seedDemo' is false/)
    // The type annotation makes sure that programs can import the type.
    const world: World = server.world
    expect(await overview.organizations(world.database)).toEqual([])
  })

  it('rejects unknown options, and uses its defaults for undefined ones', async () => {
    const unknown: object = { sandboxx: true }
    await expect(startServer(unknown)).rejects.toThrow(/^Unknown option 'sandboxx'/)
    const absent: object = { database: undefined, port: undefined }
    const server = await startServer(absent)
    onTestFinished(() => server.stop())
    expect(server.options).toMatchObject({ database: ':memory:', port: 0 })
  })

  it('warns about a clock that a sandbox changed, and only then', async () => {
    const database = join(folder, 'clock.db')
    const warned = async (options: { sandbox: boolean }) => {
      const lines: string[] = []
      const server = await startServer({
        database,
        logLevel: 'warn',
        writeLog: (text) => lines.push(text),
        ...options,
      })
      onTestFinished(() => server.stop())
      const stopped = async () => {
        await server.stop()
        return lines.join('')
      }
      return { server, stopped }
    }
    expect(await (await warned({ sandbox: false })).stopped()).toBe('')
    const sandbox = await warned({ sandbox: true })
    await sandbox.server.world.clock.set({ advanceSeconds: 3600, rate: 0 })
    expect(await sandbox.stopped()).toBe('')
    expect(JSON.parse(await (await warned({ sandbox: false })).stopped())).toMatchObject({
      level: 'warn',
      message: "the world's clock is stopped",
      rate: 0,
      aheadSeconds: expect.toSatisfy((ahead: number) => ahead > 3500 && ahead <= 3600),
    })
  })

  it('has no control interface by default', async () => {
    const server = await startChecked({ sandbox: false })
    expect(server.controlUrl).toBeUndefined()
    expect((await fetch(`${server.url}/clock`)).status).toBe(404)
  })
})

describe('the documentation', () => {
  it('is served at / with a strict content security policy, and never hides the API', async () => {
    const docs = join(folder, 'docs')
    mkdirSync(docs)
    writeFileSync(join(docs, 'index.html'), '<h1>Docs</h1>')
    writeFileSync(join(folder, 'outside.txt'), 'outside')
    const server = await startChecked({ docs })
    const index = await fetch(`${server.url}/`)
    expect(await index.text()).toBe('<h1>Docs</h1>')
    expect(index.headers.get('content-security-policy')).toMatch(/^default-src 'self'/)
    expect((await server.ask(configs)).status).toBe(200)
    expect((await server.ask('/nothing')).body).toMatchObject({ errorCode: 'RESOURCE_NOT_FOUND' })
    expect((await server.ask(configs, { method: 'HEAD' })).status).toBe(200)
    for (const path of ['/../outside.txt', '/%2e%2e/outside.txt', '/..%2foutside.txt', '/missing.html']) {
      const response = await rawRequest(server.url, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
      expect([response.status, response.body.includes('outside')]).toEqual([
        expect.toBeOneOf([400, 403, 404]),
        false,
      ])
    }
  })
})
