import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
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
import type { StartOptions } from '../index.ts'

const configs = `/groups/${projectId}/alertConfigs`
const create = { method: 'POST', json: { eventTypeName: 'HOST_DOWN', notifications: [] } }

const ways = ['restored', 'reset', 'set back', 'set ahead'] as const

/**
 * Starts a server whose clock was set ahead. Returns the server, and functions that change its world in different ways.
 */
async function startAhead(options: StartOptions = {}) {
  const server = await startChecked(options)
  await server.control('PUT', '/clock', { rate: 0 })
  const id = (await server.control('POST', '/snapshots')).textAt('id')
  await server.control('PUT', '/clock', { advanceSeconds: 86_400 })
  const put: Readonly<Record<(typeof ways)[number], () => Promise<unknown>>> = {
    restored: () => server.control('POST', `/snapshots/${id}/restore`),
    reset: () => server.control('POST', '/reset', { clock: { now: new Date(noon).toISOString(), rate: 0 } }),
    'set back': () => server.control('PUT', '/clock', { advanceSeconds: -86_400 }),
    // A minute is too short for nonces to expire.
    'set ahead': () => server.control('PUT', '/clock', { advanceSeconds: 60 }),
  }
  return { server, put }
}

/**
 * Sends the first half of a request body. Returns a function that sends the second half once the caller is
 * authenticated.
 */
async function halfSent(server: CheckedServer) {
  const { world } = server
  const uri = `/api/svc/v2${configs}`
  const nonce = world.nonces.issue(await world.clock.now())
  const secret = demoSecrets.get('orgowner') ?? ''
  const authorization = digestHeader({ username: 'orgowner', secret, nonce, method: 'POST', uri })
  const body = JSON.stringify(create.json)
  const headers = { authorization, accept: newest, 'content-type': newest, 'content-length': body.length }
  const letIn = vi.spyOn(world.nonceUses, 'record')
  const sent = request(server.url + uri, { method: 'POST', headers })
  const answer = new Promise<Awaited<ReturnType<typeof answered>>>((resolve, reject) => {
    sent.on('error', reject).on('response', (response) => answered(response).then(resolve, reject))
  })
  sent.write(body.slice(0, 10))
  await vi.waitFor(() => expect(letIn).toHaveBeenCalledOnce(), 10_000)
  letIn.mockRestore()
  return () => {
    sent.end(body.slice(10))
    return answer
  }
}

const answered = async (response: IncomingMessage) => ({
  status: response.statusCode,
  retryAfter: response.headers['retry-after'],
  body: JSON.parse(await text(response)),
})

const totalOf = async (server: CheckedServer, list: string) =>
  Number((await server.ask(`${list}?itemsPerPage=1`)).at('totalCount'))

describe('a write request', () => {
  it.each(ways.slice(0, 3))('changes nothing if its world is %s before its body has arrived', async (way) => {
    const { server, put } = await startAhead()
    const finish = await halfSent(server)
    await put[way]()
    const before = await totalOf(server, configs)
    const { status, retryAfter, body } = await finish()
    expect([status, body.errorCode, retryAfter]).toEqual([503, 'UNAVAILABLE', '0'])
    expect(await totalOf(server, configs)).toBe(before)
    const again = await server.ask(configs, create)
    expect([again.status, again.at('created')]).toEqual([200, '2026-03-01T12:00:00Z'])
  })

  it("isn't affected if the clock is set ahead in the meantime", async () => {
    const { server, put } = await startAhead()
    const finish = await halfSent(server)
    await put['set ahead']()
    expect((await finish()).status).toBe(200)
  })

  it('uses the time at which the fault releases it', async () => {
    let letGo = () => {}
    const letting = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const wait = vi.fn(() => letting)
    const { server, put } = await startAhead({ wait })
    await server.control('POST', '/faults', { operationId: 'createAlertConfig', kind: 'latency', times: 1 })
    const asked = server.ask(configs, create)
    await vi.waitFor(() => expect(wait).toHaveBeenCalledOnce(), 10_000)
    await put['set ahead']()
    letGo()
    expect((await asked).at('created')).toBe('2026-03-02T12:01:00Z')
  })
})
