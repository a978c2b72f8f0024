import { once } from 'node:events'
import { request as ask, createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { demoTarget, openKit, type Target } from '@svc-admin/contract'
import { type RunningServer, startServer } from '@svc-admin/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rowsIn } from './sandbox-rows.ts'

// Tests that a run cleans up on a target that stores more than it reports.
vi.setConfig({ testTimeout: 120_000 })

let server: RunningServer
beforeEach(async () => {
  server = await startServer({ sandbox: true })
})
afterEach(() => server.stop())

/** A server that creates two resources for each request to a collection, but reports only one. */
const startDoubling = async (collection: string): Promise<Server> => {
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
    if (request.method === 'POST' && request.url?.endsWith(collection) && answer.status < 300) await pass()
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  await once(doubling.listen(0, '127.0.0.1'), 'listening')
  return doubling
}

/**
 * Returns the rows that are left in a table after the kit has tested a create operation, if the server stores each
 * resource twice.
 */
const leftBy = async (
  operation: 'createAlertConfig' | 'createCloudProviderAccessRole' | 'createExportBucket',
  [collection, table]: readonly [string, Parameters<typeof rowsIn>[1]],
  more: Partial<Target> = {},
) => {
  const before = await rowsIn(server, table)
  const doubling = await startDoubling(collection)
  const { port } = doubling.address() as AddressInfo
  const { roles, ...target } = demoTarget({ baseUrl: `http://127.0.0.1:${port}` })
  // The run uses a token, because the server rejects a repeated Digest response.
  const owner = { serviceAccount: roles.ORGANIZATION_OWNER?.serviceAccount ?? expect.fail() }
  let most = 0
  const kit = await openKit({
    target: { ...target, ...more, roles: { ORGANIZATION_OWNER: owner } },
    selection: { operations: [operation], versions: ['v1.0'] },
    onResult: async () => {
      most = Math.max(most, (await rowsIn(server, table)).length)
    },
  })
  const { results, leftovers } = await kit.run()
  doubling.closeAllConnections()
  doubling.close()
  expect(leftovers).toEqual([])
  const stays = (await rowsIn(server, table)).filter((row) => !before.includes(row))
  return { results, made: most - before.length, stays }
}

test('removes resources that the target stored without reporting them', async () => {
  const { results, made, stays } = await leftBy('createAlertConfig', ['/alertConfigs', 'alert_configs'])
  expect(results.find(({ id }) => id.endsWith('#once'))?.verdict).toBe('WARN')
  expect(made).toBeGreaterThan(20)
  expect(stays).toEqual([])
})

test.each([
  ['createCloudProviderAccessRole', ['/cloudProviderAccess', 'access_roles']],
  ['createExportBucket', ['/exportBuckets', 'export_buckets']],
] as const)(
  'removes unreported resources of %s in a project for this run alone',
  async (operation, stored) => {
    const alone = await leftBy(operation, stored, { lentAlone: true })
    expect(alone.made).toBeGreaterThan(5)
    // No list contains GCP roles.
    expect(alone.stays.filter((row) => JSON.parse(row).provider !== 'GCP')).toEqual([])
    // In a shared project, the additional resources might belong to another caller.
    expect((await leftBy(operation, stored)).stays.length).toBeGreaterThan(1)
  },
)
