import { afterAll, beforeAll, expect, it } from 'vitest'
import { bareDatabase } from '../databases.ts'
import { projectId } from '../demo.ts'
import { startReceiver } from '../receiver.ts'
import { type ServerProcess, startProcess } from '../server-process.ts'

/** Three servers that share a database. Each of them sends webhooks. */
let servers: readonly ServerProcess[] = []
beforeAll(async () => {
  const database = await bareDatabase()
  const flags = ['--webhook-loopback']
  servers = await Promise.all([1, 2, 3].map(() => startProcess(database, { flags })))
})
afterAll(() => Promise.all(servers.map((server) => server.kill())))

const strikes = 40
const everywhere = <T>(times: number, ask: (server: ServerProcess, index: number) => Promise<T>) =>
  Promise.all(
    Array.from({ length: times }, (_, index) => {
      const server = servers[index % servers.length]
      if (!server) throw new Error('No server')
      return ask(server, index)
    }),
  )

interface Outbox {
  readonly notifications: readonly { readonly delivery?: { readonly outcome: string } }[]
}

async function outcomes(): Promise<string[]> {
  const [outbox] = await everywhere(1, (server) => server.control('GET', '/outbox'))
  const { notifications }: Outbox = JSON.parse(outbox?.text ?? '')
  return notifications.flatMap(({ delivery }) => (delivery ? [delivery.outcome] : []))
}

it('are sent once each, by any of the processes', async () => {
  const { url, received } = await startReceiver()
  const notifications = [{ typeName: 'WEBHOOK', webhookUrl: url }]
  const json = { eventTypeName: 'DISK_FULL', enabled: true, notifications }
  await everywhere(1, (server) => server.ask(`/groups/${projectId}/alertConfigs`, { method: 'POST', json }))
  const raised = await everywhere(strikes, (server, index) =>
    server.control('POST', '/events', {
      groupId: projectId,
      eventTypeName: 'DISK_FULL',
      fields: { PORT: String(index) },
    }),
  )
  expect(raised.map(({ status }) => status)).toEqual(raised.map(() => 200))
  await everywhere(12, (server) => server.control('POST', '/outbox/deliver'))
  // `deliver` doesn't wait for the webhooks that the servers send in the background, so wait for them here.
  while ((await outcomes()).includes('pending'))
    await everywhere(3, (server) => server.control('GET', '/clock'))
  const ids = received.map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(strikes)
  expect(ids).toHaveLength(strikes)
})
