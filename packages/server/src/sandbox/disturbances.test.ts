import { describe, expect, it, vi } from 'vitest'
import {
  type CheckedServer,
  demoSecrets,
  newest,
  noon,
  projectId,
  startChecked,
} from '../../test/checked-server.ts'
import { digestHeader } from '../../test/digest-client.ts'
import { rawExchange } from '../../test/raw-request.ts'
import { requestToken } from '../../test/token.ts'

const configs = `/groups/${projectId}/alertConfigs`
const analyzers = `/groups/${projectId}/clusters/orders-eu/backup/snapshots`
const create = { method: 'POST', json: { eventTypeName: 'HOST_DOWN', notifications: [] } }

/** Requests a list through a raw socket, and returns how the response ended. Client libraries don't reveal this. */
async function onTheWire(server: CheckedServer) {
  const uri = `/api/svc/v2${configs}`
  const nonce = server.world.nonces.issue(noon)
  const secret = demoSecrets.get('orgowner') ?? ''
  const authorization = digestHeader({ username: 'orgowner', secret, nonce, method: 'GET', uri })
  const head = `GET ${uri} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept: ${newest}`
  return rawExchange(server.url, `${head}\r\nAuthorization: ${authorization}\r\n\r\n`)
}

describe('a fault', () => {
  it.each([429, 503] as const)(
    'returns %i for the next requests of its operation and no other',
    async (status) => {
      const server = await startChecked()
      const fault = { operationId: 'listAlertConfigs', kind: 'status', status, retryAfter: 7, times: 2 }
      await server.control('POST', '/faults', fault)
      expect((await server.ask(configs, create)).status).toBe(200)
      const responses = [await server.ask(configs), await server.ask(configs), await server.ask(configs)]
      expect(responses.map((one) => one.status)).toEqual([status, status, 200])
      expect(responses[0]?.headers.get('retry-after')).toBe('7')
      expect((await server.control('GET', '/faults')).at('faults', 0)).toMatchObject({ calls: 3, hits: 2 })
    },
  )

  it('affects the same share of requests for the same seed, and others for another seed', async () => {
    const server = await startChecked()
    const hits = async (seed = 3) => {
      await server.control('DELETE', '/faults')
      await server.control('POST', '/faults', { operationId: '*', kind: 'status', share: 0.5, seed })
      const statuses: number[] = []
      for (let call = 0; call < 12; call += 1) statuses.push((await server.ask(configs)).status)
      return statuses
    }
    const first = await hits()
    expect(new Set(first)).toEqual(new Set([200, 503]))
    expect(await hits()).toEqual(first)
    expect(await hits(4)).not.toEqual(first)
  })

  it('delays a response by the given time, and no other response', async () => {
    const waits: { milliseconds: number; end: () => void }[] = []
    let told = () => {}
    const begun = new Promise<void>((resolve) => {
      told = resolve
    })
    const server = await startChecked({
      wait: (milliseconds) =>
        new Promise<void>((end) => {
          waits.push({ milliseconds, end })
          told()
        }),
    })
    const fault = { operationId: 'createAlertConfig', kind: 'latency', milliseconds: 1234, times: 1 }
    await server.control('POST', '/faults', fault)
    let answered = false
    const slow = server.ask(configs, create).finally(() => {
      answered = true
    })
    await begun
    const before = (await server.ask(configs)).at('totalCount')
    expect([waits.map(({ milliseconds }) => milliseconds), answered]).toEqual([[1234], false])
    for (const { end } of waits) end()
    expect((await slow).status).toBe(200)
    expect((await server.ask(configs)).at('totalCount')).toBe(Number(before) + 1)
    expect((await server.ask(configs, create)).status).toBe(200)
    expect(waits).toHaveLength(1)
  })

  it.each([0, 1, 20])(
    'cuts a response after %i bytes of the body that its header announces',
    async (bytes) => {
      const server = await startChecked()
      const whole = await onTheWire(server)
      await server.control('POST', '/faults', {
        operationId: 'listAlertConfigs',
        kind: 'cut',
        bytes,
        times: 1,
      })
      const cut = await onTheWire(server)
      expect(cut.status).toBe(200)
      expect(cut.head).toContain(`content-length: ${Buffer.byteLength(whole.body)}`)
      expect(cut.body).toBe(whole.body.slice(0, bytes))
      expect(cut.ending).toBe('end')
      expect((await onTheWire(server)).body).toBe(whole.body)
    },
  )

  it('keeps what was written before the response was cut', async () => {
    const server = await startChecked()
    const before = (await server.ask(configs)).at('totalCount')
    const fault = { operationId: 'createAlertConfig', kind: 'cut', bytes: 5, times: 1 }
    await server.control('POST', '/faults', fault)
    await expect(server.ask(configs, create)).rejects.toThrow(/terminated|fetch failed/)
    expect((await server.ask(configs)).at('totalCount')).toBe(Number(before) + 1)
  })

  it('resets a connection before any change or response', async () => {
    const server = await startChecked()
    const before = (await server.ask(configs)).at('totalCount')
    await server.control('POST', '/faults', { operationId: '*', kind: 'reset', times: 2 })
    expect(await onTheWire(server)).toEqual({ status: 0, head: '', body: '', ending: 'ECONNRESET' })
    await expect(server.ask(configs, create)).rejects.toThrow(/fetch failed/)
    expect((await server.ask(configs)).at('totalCount')).toBe(before)
    const log = (await server.control('GET', '/requests')).at('requests')
    expect(log).toMatchObject([
      { status: 200 },
      { status: 0, fault: 'reset' },
      { status: 0, fault: 'reset' },
      { status: 200 },
    ])
  })

  it('reports a fresh nonce as stale and requests another', async () => {
    const server = await startChecked()
    await server.control('POST', '/faults', { operationId: '*', kind: 'stale-nonce', times: 1 })
    const response = await server.ask(configs)
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/stale=true/),
    ])
    expect((await server.ask(configs)).status).toBe(200)
  })

  it('never reports a stale nonce for a request without a nonce, with a wrong response, or with a token', async () => {
    const server = await startChecked()
    const fault = { operationId: '*', kind: 'stale-nonce', times: 1 }
    const id = (await server.control('POST', '/faults', fault)).at('id')
    const wrong = { authorization: 'Digest username="orgowner"' }
    expect((await server.ask(configs, { as: null })).headers.get('www-authenticate')).toContain('stale=false')
    expect((await server.ask(configs, { as: null, headers: wrong })).status).toBe(401)
    expect((await server.control('GET', '/faults')).at('faults', 0)).toMatchObject({ id, calls: 0, hits: 0 })
    expect((await server.ask(configs)).headers.get('www-authenticate')).toContain('stale=true')
    expect((await server.control('GET', '/faults')).at('faults', 0)).toMatchObject({ calls: 1, hits: 1 })
    expect((await server.control('GET', '/requests')).at('requests', 0, 'fault')).toBe('stale-nonce')
  })

  it('cuts error responses too', async () => {
    const server = await startChecked()
    await server.control('POST', '/faults', { operationId: '*', kind: 'cut', bytes: 3, times: 1 })
    const request = `GET /api/svc/v2${configs} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
    const cut = await rawExchange(server.url, request)
    expect([cut.status, cut.body.length]).toEqual([401, 3])
    expect((await rawExchange(server.url, request)).body).toMatch(/^\{.*\}$/)
    expect((await server.control('GET', '/requests')).at('requests', 1)).toMatchObject({
      status: 401,
      fault: 'cut',
    })
  })

  it('logs no status when it resets the connection', async () => {
    const lines: string[] = []
    const server = await startChecked({ logLevel: 'info', writeLog: (text) => lines.push(text) })
    await server.control('POST', '/faults', { operationId: 'listAlertConfigs', kind: 'reset' })
    await expect(server.ask(configs)).rejects.toThrow(/fetch failed/)
    const metrics = await (await fetch(`${server.controlUrl}/metrics`)).text()
    expect(metrics).toContain('operation_id="listAlertConfigs",http_response_status_code="0"')
    expect(metrics).not.toContain('operation_id="listAlertConfigs",http_response_status_code="200"')
    await server.stop()
    expect(lines.join('')).toMatch(/"operationId":"listAlertConfigs","status":0/)
  })

  it.each(['client', 'world', 'server'])('waits no longer than its %s exists', async (end) => {
    const waits: AbortSignal[] = []
    let told = () => {}
    const begun = new Promise<void>((resolve) => {
      told = resolve
    })
    const wait = (_: number, signal: AbortSignal) => {
      waits.push(signal)
      told()
      return new Promise(() => {})
    }
    const server = await startChecked({ wait })
    const { id, remove, world } = await server.createWorld()
    const at = end === 'world' ? `/worlds/${id}` : ''
    await server.control('POST', `${at}/faults`, { operationId: '*', kind: 'latency', milliseconds: 60_000 })
    if (end === 'client') {
      const client = new AbortController()
      const gone = fetch(`${server.url}/api/svc/v2${configs}`, { signal: client.signal })
      const failing = expect(gone).rejects.toThrow()
      await begun
      client.abort()
      await failing
    } else {
      const nonceOf = end === 'world' ? world : server.world
      const slow = server.ask(configs, { at, nonceOf })
      await begun
      const stopped = end === 'world' ? remove() : server.stop()
      expect((await slow).status).toBe(end === 'world' ? 404 : 200)
      await stopped
    }
    await vi.waitFor(() => expect(waits.map(({ aborted }) => aborted)).toEqual([true]))
  })

  it('makes the token endpoint fail with its own error format', async () => {
    const server = await startChecked()
    await server.control('POST', '/faults', { operationId: 'issueToken', kind: 'status', status: 429 })
    const { status, at } = await requestToken(server.url)
    expect([status, at('error')]).toEqual([429, 'rate_limited'])
  })

  it.each([
    [{ operationId: 'listEverything', kind: 'reset' }],
    [{ operationId: 'toString', kind: 'reset' }],
    [{ kind: 'reset' }],
    [{ operationId: '*', kind: 'explosion' }],
    [{ operationId: '*', kind: 'status', status: 500 }],
    [{ operationId: '*', kind: 'status', share: 2 }],
    [{ operationId: '*', kind: 'status', times: 0 }],
    [{ operationId: '*', kind: 'cut', bytes: -1 }],
    [{ operationId: '*', kind: 'latency', milliseconds: 1e9 }],
  ])("can't be %j", async (body) => {
    const server = await startChecked()
    expect((await server.control('POST', '/faults', body)).status).toBe(400)
    expect((await server.control('GET', '/faults')).at('faults')).toEqual([])
  })

  it('no longer applies once it is removed', async () => {
    const server = await startChecked()
    const id = (await server.control('POST', '/faults', { operationId: '*', kind: 'reset' })).textAt('id')
    expect((await server.control('DELETE', `/faults/${id}`)).status).toBe(200)
    expect((await server.control('DELETE', `/faults/${id}`)).status).toBe(404)
    expect((await server.ask(configs)).status).toBe(200)
  })
})

describe('a transition', () => {
  const json = { description: 'd', retentionInDays: 1 }
  const another = (server: CheckedServer) => server.ask(analyzers, { method: 'POST', json })
  const snapshot = async (modes: unknown) => {
    const server = await startChecked()
    await server.control('PUT', '/transitions', modes)
    const id = (await another(server)).textAt('id')
    const status = async () => (await server.ask(`${analyzers}/${id}`)).at('status')
    return { server, status }
  }

  it('happens immediately', async () => {
    const { status } = await snapshot({ snapshot: { mode: 'immediate' } })
    expect(await status()).toBe('completed')
  })

  it('happens after a configured time instead of the described one', async () => {
    const { server, status } = await snapshot({ '*': { mode: 'after', seconds: 1000 } })
    await server.control('PUT', '/clock', { advanceSeconds: 999 })
    expect(await status()).toBe('queued')
    await server.control('PUT', '/clock', { advanceSeconds: 1 })
    expect(await status()).toBe('inProgress')
  })

  it('happens after the given number of reads of the state', async () => {
    const { server, status } = await snapshot({ snapshot: { mode: 'reads', reads: 2 } })
    await server.control('PUT', '/clock', { advanceSeconds: 1000 })
    const seen = [await status(), await status(), await status(), await status(), await status()]
    expect(seen).toEqual(['queued', 'queued', 'inProgress', 'inProgress', 'completed'])
  })

  it('happens on request, one step at a time', async () => {
    const { server, status } = await snapshot({ snapshot: { mode: 'manual' } })
    await server.control('PUT', '/clock', { advanceSeconds: 1000 })
    expect(await status()).toBe('queued')
    await server.control('POST', '/transitions/advance', { machine: 'snapshot' })
    expect(await status()).toBe('inProgress')
    await server.control('POST', '/transitions/advance', { machine: '*' })
    expect(await status()).toBe('completed')
  })

  it('counts the reads of each resource separately, even within a millisecond', async () => {
    const { server, status } = await snapshot({ snapshot: { mode: 'reads', reads: 1 } })
    expect([await status(), await status(), await status()]).toEqual(['queued', 'inProgress', 'completed'])
    const second = await another(server)
    expect(second.at('status')).toBe('queued')
    const seen = async () => (await server.ask(`${analyzers}/${second.textAt('id')}`)).at('status')
    expect([await seen(), await seen()]).toEqual(['queued', 'inProgress'])
  })

  it('restarts its read count in a restored world', async () => {
    const { server, status } = await snapshot({ snapshot: { mode: 'reads', reads: 1 } })
    const id = (await server.control('POST', '/snapshots')).textAt('id')
    const before = [await status(), await status()]
    await server.control('POST', `/snapshots/${id}/restore`)
    expect([await status(), await status()]).toEqual(before)
  })

  it.each([
    ['reads', { mode: 'reads', reads: 1 }],
    ['manual', { mode: 'manual' }],
  ])('continues from where the clock goes back to (%s)', async (name, mode) => {
    const { server, status } = await snapshot({ snapshot: mode })
    const advance = () =>
      name === 'manual' && server.control('POST', '/transitions/advance', { machine: 'snapshot' })
    const steps = async () => {
      const seen = [await status()]
      for (const _ of [1, 2]) {
        await advance()
        seen.push(await status())
      }
      return seen
    }
    await server.control('PUT', '/clock', { advanceSeconds: 100 })
    const before = await steps()
    expect(before).toEqual(['queued', 'inProgress', 'completed'])
    await server.control('PUT', '/clock', { advanceSeconds: -90 })
    expect(await steps()).toEqual(before)
  })

  it.each([
    { mode: 'immediate' },
    { mode: 'after', seconds: 0 },
    { mode: 'reads', reads: 0 },
    { mode: 'described' },
  ])('remains when the mode changes after it, and the next one waits: %j', async (mode) => {
    const { server, status } = await snapshot({ snapshot: mode })
    if (mode.mode === 'described') await server.control('PUT', '/clock', { advanceSeconds: 3600 })
    const before = [await status(), await status()].at(-1)
    expect(before).toBe('completed')
    for (const next of [{ mode: 'reads', reads: 5 }, { mode: 'after', seconds: 1e6 }, { mode: 'manual' }]) {
      await server.control('PUT', '/transitions', { snapshot: next })
      expect(await status()).toBe('completed')
    }
    expect((await another(server)).at('status')).toBe('queued')
  })

  it('happens as described again after a reset', async () => {
    const { server } = await snapshot({ snapshot: { mode: 'manual' } })
    expect((await server.control('GET', '/transitions')).at('transitions', 'snapshot')).toEqual({
      mode: 'manual',
    })
    await server.control('POST', '/reset')
    expect((await server.control('GET', '/transitions')).at('transitions', 'snapshot')).toEqual({
      mode: 'described',
    })
  })

  it('of a view is configured on the underlying resource, which the error names', async () => {
    const server = await startChecked()
    expect((await server.control('GET', '/transitions')).at('transitions', 'fts-index')).toBeUndefined()
    const detail = "'fts-index' shows the states of 'search-index'. Set the mode of 'search-index' instead."
    const set = await server.control('PUT', '/transitions', { 'fts-index': { mode: 'manual' } })
    const advanced = await server.control('POST', '/transitions/advance', { machine: 'fts-index' })
    expect([set.at('detail'), advanced.at('detail')]).toEqual([detail, detail])
  })

  it.each([
    [{ alert: { mode: 'manual' } }],
    [{ snapshot: { mode: 'never' } }],
    [{ snapshot: { mode: 'after' } }],
    [[]],
  ])("can't be %j", async (body) => {
    const server = await startChecked()
    expect((await server.control('PUT', '/transitions', body)).status).toBe(400)
  })
})
