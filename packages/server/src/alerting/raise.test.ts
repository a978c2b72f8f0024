import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { projectId, startChecked } from '../../test/checked-server.ts'
import { Stored } from '../domain/stored.ts'
import { alertConfigs } from '../persistence/alert-configs.ts'
import { alerts } from '../persistence/alerts.ts'
import { outbox } from '../persistence/outbox.ts'
import type { World } from '../world/world.ts'
import { raiseAlerts } from './raise.ts'
import { settleAlerts } from './settle.ts'

const orgId = '64b7e0a10f3a5d6e7f809001'
const event = { orgId, groupId: projectId, eventTypeName: 'CROWDED', clusterName: 'orders-eu', fields: {} }

it('a configuration that changes during evaluation is evaluated again', async () => {
  const { world, ask } = await startChecked()
  const matchers = [{ fieldName: 'CLUSTER_NAME', operator: 'REGEX', value: '^(o+)+$' }]
  const json = { eventTypeName: event.eventTypeName, enabled: true, matchers, notifications: [] }
  const made = await ask(`/groups/${projectId}/alertConfigs`, { method: 'POST', json })
  const now = await world.clock.now()
  expect(await raiseAlerts(world, event, now)).toEqual([])
  const config = await alertConfigs.find(world.database, projectId, made.textAt('id'))
  if (!config) throw new Error('The configuration is gone')
  const document = Stored.of({ ...config.document.value(), matchers: [] })
  let changed = false
  const { transaction } = world.database
  const meddling: World['database'] = {
    ...world.database,
    transaction: async (body, kind) => {
      if (!changed) await alertConfigs.put(world.database, { ...config, document })
      changed = true
      return transaction(body, kind)
    },
  }
  expect(await raiseAlerts({ ...world, database: meddling }, event, now)).toHaveLength(1)
})

it('thousands of notifications are created in batches, each once', async () => {
  const { world, ask, control } = await startChecked({ webhooks: false })
  const targets = Array.from({ length: 300 }, (_, index) => ({
    typeName: 'SMS',
    notifierId: `n${index}`,
    intervalMin: 5,
  }))
  const json = { eventTypeName: event.eventTypeName, enabled: true, notifications: targets }
  await ask(`/groups/${projectId}/alertConfigs`, { method: 'POST', json })
  const [id = ''] = await raiseAlerts(world, event, await world.clock.now())
  await control('PUT', '/clock', { advanceSeconds: 1500 })
  const now = await world.clock.now()
  const told = async () => {
    const all = await outbox.list(world.database, { limit: 10_000 })
    return all.filter(({ alertId }) => alertId === id)
  }
  const seen = new Set([(await told()).length])
  let left = 2
  for (let looker = left; looker > 0; looker -= 1) {
    void settleAlerts(world, projectId, now).then(() => {
      left -= 1
    })
  }
  while (left > 0) {
    await turn()
    seen.add((await told()).length)
  }
  const counts = [...seen]
  expect([counts[0], counts.at(-1)]).toEqual([300, 1800])
  expect(counts.length).toBeGreaterThan(2)
  const each = (await told()).map(({ createdAt, document }) => `${createdAt} ${Object(document).notifierId}`)
  expect(new Set(each).size).toBe(1800)
  expect((await alerts.get(world.database, projectId, id))?.dueAt).toBe(now + 300_000)
})
