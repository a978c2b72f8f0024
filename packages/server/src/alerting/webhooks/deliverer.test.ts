import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { advance, configure, happen } from '../../../test/alerts.ts'
import { startChecked } from '../../../test/checked-server.ts'
import { settleEverything } from '../settle.ts'
import { createDeliverer } from './deliverer.ts'

it("doesn't block requests while many deliveries fail at the same time", async () => {
  const server = await startChecked({ webhooks: false })
  const { world } = server
  const target = { typeName: 'WEBHOOK', webhookUrl: 'https://10.0.0.1/', intervalMin: 1 }
  await configure(server, { notifications: Array.from({ length: 10 }, () => target) })
  await happen(server)
  await advance(server, 100)
  await settleEverything(world, await world.clock.now())
  let turns = 0
  let over = false
  const delivering = createDeliverer({ loopback: false, timeout: 5000, realTime: Date.now })
    .deliver(world)
    .finally(() => {
      over = true
    })
  while (!over) {
    await turn()
    turns += 1
  }
  expect(await delivering).toBeGreaterThanOrEqual(1000)
  expect(turns).toBeGreaterThanOrEqual(10)
})
