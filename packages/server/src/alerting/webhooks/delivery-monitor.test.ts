import { describe, expect, it } from 'vitest'
import { advance, configs, configure, happen } from '../../../test/alerts.ts'
import { startChecked } from '../../../test/checked-server.ts'
import { startReceiver } from '../../../test/receiver.ts'

async function failing(statuses: readonly number[]) {
  const { url, port } = await startReceiver(
    ...statuses.map(
      (status) => (_: unknown, response: { writeHead(status: number): { end(): void } }) =>
        response.writeHead(status).end(),
    ),
  )
  const lines: string[] = []
  const server = await startChecked({
    webhooks: false,
    webhookLoopback: true,
    metrics: true,
    logLevel: 'warn',
    writeLog: (text) => void lines.push(text),
  })
  const webhookUrl = `${url}/hidden?token=hidden`
  await configure(server, { notifications: [{ typeName: 'WEBHOOK', webhookUrl }] })
  await happen(server)
  const deliver = () => server.control('POST', '/outbox/deliver')
  await deliver()
  const entries = async () => {
    await server.stop()
    const parsed = lines
      .join('')
      .split('\n')
      .filter(Boolean)
      .map((line): { message: string } => JSON.parse(line))
    return parsed.filter(({ message }) => /webhook/.test(message))
  }
  return { server, deliver, entries, lines, target: `http://127.0.0.1:${port}` }
}

describe('a webhook receiver that fails', () => {
  it('is logged once, and again when it recovers, without secrets of its URL', async () => {
    const { server, deliver, entries, lines, target } = await failing([500, 500, 204])
    for (let count = 0; count < 2; count += 1) {
      await advance(server, 60)
      await deliver()
    }
    expect(await entries()).toEqual([
      expect.objectContaining({
        level: 'warn',
        message: 'webhook receiver is failing',
        target,
        failure: 'status 500',
      }),
      expect.objectContaining({ level: 'warn', message: 'webhook receiver recovered', target, failures: 2 }),
    ])
    expect(lines.join('')).not.toContain('hidden')
  })

  it('is logged as an error when a message is given up', async () => {
    const { entries, target } = await failing([410])
    expect(await entries()).toEqual([
      expect.objectContaining({ message: 'webhook receiver is failing', target }),
      expect.objectContaining({
        level: 'error',
        message: 'webhook dropped',
        target,
        attempts: 1,
        failure: 'status 410',
      }),
    ])
  })

  it('is visible in the metrics', async () => {
    const { server } = await failing([500])
    const text = await (await fetch(`${server.url}/metrics`)).text()
    expect(text).toContain('svc_admin_webhook_attempts_total{outcome="retry"} 1\n')
    expect(text).toContain('svc_admin_webhook_queue_length 1\n')
    expect(text).toMatch(/svc_admin_webhook_queue_oldest_seconds \d/)
  })
})

it.each(['file:///etc/passwd', 'javascript:alert(1)', 'FTP://host/x', 'data:text/plain,x'])(
  'the webhook URL %s is rejected',
  async (webhookUrl) => {
    const server = await startChecked()
    const json = { eventTypeName: 'HOST_DOWN', notifications: [{ typeName: 'WEBHOOK', webhookUrl }] }
    const refused = await server.ask(configs, { method: 'POST', json })
    expect([refused.status, refused.at('parameters')]).toEqual([400, ['/notifications/0/webhookUrl']])
    const good = { ...json, notifications: [{ typeName: 'WEBHOOK', webhookUrl: 'https://hooks.example/x' }] }
    const created = await server.ask(configs, { method: 'POST', json: good })
    const id = created.textAt('id')
    const put = await server.ask(`${configs}/${id}`, { method: 'PUT', json })
    expect([created.status, put.status]).toEqual([200, 400])
  },
)
