import { demoTarget, openKit } from '@svc-admin/contract'
import { type RunningServer, startServer } from '@svc-admin/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

// `npm run repeat -w packages/contract` does the same with 60 runs of different kinds.
vi.setConfig({ testTimeout: 120_000 })

const outboxSize = 10_000
const day = 24 * 3600
let server: RunningServer

const control = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const headers = { 'Content-Type': 'application/json' }
  const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) }
  const response = await fetch(`${server.controlUrl}${path}`, { method, ...sent })
  expect(response.status, await response.clone().text()).toBe(200)
  return response.json()
}

beforeEach(async () => {
  server = await startServer({ sandbox: true, webhooks: false })
})
afterEach(() => server.stop())

/** Fills the outbox with notifications from the alerts in the demo organization. */
const fillOutbox = async (): Promise<void> => {
  const notifications = Array.from({ length: 20 }, () => ({ typeName: 'SMS', delayMin: 0, intervalMin: 5 }))
  const { groupId } = server.demo()
  const id = '64b7e1c20f3a5d6e7f80cafe'
  const created = new Date().toISOString()
  const config = { id, groupId, eventTypeName: 'LONG_LIVED', enabled: true, created, notifications }
  await control('POST', '/seed', { alertConfigs: [config] })
  await control('POST', '/events', { groupId, eventTypeName: 'LONG_LIVED' })
  // A single clock jump sends at most a hundred notifications to each target.
  for (let sent = 0; sent <= outboxSize; sent += notifications.length * 100)
    await control('PUT', '/clock', { advanceSeconds: day })
}

/** The findings from checks that read notifications. */
const findings = async (): Promise<string[]> => {
  const kit = await openKit({
    target: demoTarget({ baseUrl: server.url, control: server.controlUrl ?? expect.fail() }),
    selection: {
      requirements: [
        'alert.notifies-targets',
        'alert.severity-override',
        'acknowledgeAlert.stops-notifications',
      ],
      versions: ['2025-03-12'],
    },
    strict: true,
  })
  const { results } = await kit.run()
  expect(results.filter(({ verdict }) => verdict === 'PASS').length).toBeGreaterThan(3)
  return results.flatMap(({ id, verdict, actual }) =>
    ['FAIL', 'KIT ERROR', 'UNTESTABLE'].includes(verdict) ? [`${id}: ${actual}`] : [],
  )
}

test.each([
  ['whose clock was set ahead and back', -8 * day],
  ['whose clock was set ahead', 0],
])('the kit raises no false alarm on a sandbox %s', async (_, seconds) => {
  await fillOutbox()
  if (seconds !== 0) await control('PUT', '/clock', { advanceSeconds: seconds })
  for (let run = 0; run < 2; run += 1) expect(await findings()).toEqual([])
})
