import { describe, expect, it } from 'vitest'
import { advance, alerts, configs, configure, happen, inAnHour, sentFor } from '../../../test/alerts.ts'
import { type CheckedServer, startChecked } from '../../../test/checked-server.ts'
import { startReceiver } from '../../../test/receiver.ts'

/** Creates a webhook whose first delivery attempt has failed. The receiver will accept the next attempt. */
async function refusedOnce() {
  const { url, received } = await startReceiver(
    (_, response) => response.writeHead(500).end(),
    (_, response) => response.writeHead(204).end(),
  )
  // Disable the background deliveries, because the tests in this file trigger deliveries themselves. A background
  // delivery would interfere like a second process.
  const server = await startChecked({ webhooks: false, webhookLoopback: true })
  const configId = await configure(server, { notifications: [{ typeName: 'WEBHOOK', webhookUrl: url }] })
  const alertId = await happen(server)
  expect(await attempts(server)).toBe(1)
  return { server, configId, alertId, received }
}

const attempts = async (server: CheckedServer, world = '') =>
  (await server.control('POST', `${world}/outbox/deliver`)).at('attempts')

const acknowledge = (server: CheckedServer, alertId: string, json: unknown) =>
  server.ask(`${alerts}/${alertId}`, { method: 'PATCH', json })

describe('an undelivered webhook', () => {
  it('waits while its alert is acknowledged, and is sent once it is unacknowledged', async () => {
    const { server, alertId, received } = await refusedOnce()
    await acknowledge(server, alertId, { acknowledgedUntil: inAnHour })
    await advance(server, 30)
    expect([await attempts(server), received.length]).toEqual([0, 1])
    await acknowledge(server, alertId, { unacknowledgeAlert: true })
    expect([await attempts(server), received.length]).toEqual([1, 2])
  })

  it('is sent once the acknowledgement expires', async () => {
    const { server, alertId, received } = await refusedOnce()
    await acknowledge(server, alertId, { acknowledgedUntil: inAnHour })
    await advance(server, 59)
    expect([await attempts(server), received.length]).toEqual([0, 1])
    await advance(server, 1)
    expect([await attempts(server), received.length]).toEqual([1, 2])
  })

  it('is dropped while its configuration is disabled', async () => {
    const { server, configId, alertId, received } = await refusedOnce()
    await server.ask(`${configs}/${configId}`, { method: 'PATCH', json: { enabled: false } })
    await advance(server, 60)
    // Dropping a notification doesn't count as a delivery attempt.
    expect([await attempts(server), received.length]).toEqual([0, 1])
    const error = expect.stringContaining('disabled')
    expect(await sentFor(server, alertId)).toMatchObject([
      { delivery: { outcome: 'failed', attempts: 1, lastAttempt: { error } } },
    ])
    await server.ask(`${configs}/${configId}`, { method: 'PATCH', json: { enabled: true } })
    await advance(server, 60)
    expect([await attempts(server), received.length]).toEqual([0, 1])
  })

  it('is sent if its configuration is enabled again before it is due', async () => {
    const { server, configId, received } = await refusedOnce()
    await server.ask(`${configs}/${configId}`, { method: 'PATCH', json: { enabled: false } })
    expect([await attempts(server), received.length]).toEqual([0, 1])
    await server.ask(`${configs}/${configId}`, { method: 'PATCH', json: { enabled: true } })
    await advance(server, 60)
    expect([await attempts(server), received.length]).toEqual([1, 2])
  })

  it('stays with its world when another world restores its snapshot, and continues when its own world does', async () => {
    const { server, alertId, received } = await refusedOnce()
    await server.control('POST', '/worlds', { id: 'other' })
    const id = (await server.control('POST', '/snapshots')).textAt('id')
    await server.control('POST', `/worlds/other/snapshots/${id}/restore`)
    await server.control('PUT', '/worlds/other/clock', { advanceSeconds: 3600 })
    expect([await attempts(server, '/worlds/other'), received.length]).toEqual([0, 1])
    await server.control('POST', `/snapshots/${id}/restore`)
    await advance(server, 60)
    expect([await attempts(server), received.length]).toEqual([1, 2])
    expect(await sentFor(server, alertId)).toMatchObject([{ delivery: { outcome: 'delivered' } }])
  })
})
