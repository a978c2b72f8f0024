import { once } from 'node:events'
import { request as ask, createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { demoTarget, openKit } from '@svc-admin/contract'
import { type RunningServer, startServer } from '@svc-admin/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rowsIn } from './sandbox-rows.ts'

// What stays behind of a run at a target that stores more than it tells of.
vi.setConfig({ testTimeout: 120_000 })

let server: RunningServer
beforeEach(async () => {
  server = await startServer({ sandbox: true })
})
afterEach(() => server.stop())

/** A server that makes two configurations of each that it is sent, and tells of one. */
const startDoubling = async (): Promise<Server> => {
  const doubling = createServer(async (request, response) => {
    const body = await buffer(request)
    const pass = async () => {
      const { method, headers } = request
      const sent = ask(new URL(request.url ?? '', server.url), { method, headers }).end(body)
      const [answer]: IncomingMessage[] = await once(sent, 'response')
      if (answer === undefined) throw new Error('no answer')
      return { status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) }
    }
    const answer = await pass()
    if (request.method === 'POST' && request.url?.endsWith('/alertConfigs') && answer.status < 300)
      await pass()
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  await once(doubling.listen(0, '127.0.0.1'), 'listening')
  return doubling
}

test('what a target stores without telling of it is removed as well', async () => {
  const before = await rowsIn(server, 'alert_configs')
  const doubling = await startDoubling()
  const { port } = doubling.address() as AddressInfo
  const { roles, ...target } = demoTarget({ baseUrl: `http://127.0.0.1:${port}` })
  // Whoever repeats a Digest is refused.
  const owner = { serviceAccount: roles.ORGANIZATION_OWNER?.serviceAccount ?? expect.fail() }
  let most = 0
  const kit = await openKit({
    target: { ...target, roles: { ORGANIZATION_OWNER: owner } },
    selection: {
      operations: ['createAlertConfig'],
      versions: ['v1.0'],
    },
    onResult: async () => {
      most = Math.max(most, (await rowsIn(server, 'alert_configs')).length)
    },
  })
  const { results, left } = await kit.run()
  doubling.closeAllConnections()
  doubling.close()
  expect(results.find(({ id }) => id.endsWith('#once'))?.verdict).toBe('WARN')
  expect(left).toEqual([])
  expect(most).toBeGreaterThan(before.length + 20)
  const unmarked = (await rowsIn(server, 'alert_configs')).filter((row) => !before.includes(row))
  expect(unmarked).toEqual([])
})
