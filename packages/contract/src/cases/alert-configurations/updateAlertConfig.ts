import { withGenerated } from '../../check/generated.ts'
import { always, forEach, rules } from '../../check/rule.ts'
import { inspect, isObject, type Json, listAt, objectAt, stringAt } from '../../document/json.ts'
import { alertConfigBody } from '../../given/given.ts'
import { expectError, expectThat } from '../../model/expect.ts'
import {
  anyConfigBody,
  configWithWebhook,
  fullConfigBody,
  read,
  store,
  storedFrom,
  unusableSchemes,
} from '../../resources/alert-configs.ts'
import { accepted, expectContains, expectSame } from '../../resources/successful-response.ts'

const identity = ['id', 'groupId', 'created'] as const

const pick = (config: Json, names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, (isObject(config) ? config[name] : undefined) ?? null]))

const changes: Json = {
  enabled: true,
  eventTypeName: 'CREDIT_CARD_ABOUT_TO_EXPIRE',
  severityOverride: 'ERROR',
}

export default rules({
  'updateAlertConfig.replaces': [
    always(async (trial) => {
      const old = {
        ...objectAt({ body: alertConfigBody(trial.context, false) }, 'body'),
        severityOverride: 'INFO',
      }
      const before = await store(trial, { body: old })
      const notifications = [{ typeName: 'GROUP', emailEnabled: true, delayMin: 5, intervalMin: 60 }]
      const body = { ...objectAt({ changes }, 'changes'), matchers: [], notifications }
      const updatedConfig = storedFrom(await trial.try({ parameters: { alertConfigId: before.id }, body }))
      const again = await read(trial, before.id)
      for (const { config, exchange } of [updatedConfig, again]) {
        expectContains(exchange, config, changes)
        // If a configuration has no matchers, the response may omit the field.
        const { length } = listAt(config, 'matchers')
        expectThat(length === 0, { expected: 'no matcher', actual: `${length} of them`, exchange })
        const kinds = listAt(config, 'notifications').map((one) => stringAt(one, 'typeName'))
        expectThat(kinds.join() === 'GROUP', {
          expected: 'only the GROUP notification',
          actual: kinds.join(', '),
          exchange,
        })
        expectSame(exchange, 'still', pick(config, identity), pick(before.config, identity))
      }
    }),
    withGenerated(
      async (generate, trial) => {
        const { id } = await store(trial, { body: alertConfigBody(trial.context, false) })
        return anyConfigBody(generate, trial.context).map((body) => ({ id, body }))
      },
      async (trial, { id, body }) => {
        const exchange = await trial.try({ parameters: { alertConfigId: id }, body })
        accepted(exchange, 'the values of a configuration')
        for (const seen of [storedFrom(exchange), await read(trial, id)])
          expectContains(seen.exchange, seen.config, body)
      },
    ),
  ],

  'updateAlertConfig.left-out-defaults': always(async (trial) => {
    const { id } = await store(trial, { body: fullConfigBody(trial.context, true) })
    const { enabled: _, ...body } = objectAt({ body: alertConfigBody(trial.context, false) }, 'body')
    const updatedConfig = storedFrom(await trial.try({ parameters: { alertConfigId: id }, body }))
    for (const { config, exchange } of [updatedConfig, await read(trial, id)]) {
      const left = [...listAt(config, 'matchers'), stringAt(config, 'severityOverride') ?? []].flat()
      expectThat(left.length === 0, {
        expected: 'neither matchers nor severityOverride, because the body omits both',
        actual: JSON.stringify(left),
        exchange,
      })
      const enabled = isObject(config) ? config.enabled : undefined
      expectThat(enabled === false, {
        expected: 'enabled false',
        actual: `enabled ${inspect(enabled)}`,
        exchange,
      })
      const { length } = listAt(config, 'notifications')
      expectThat(length === 1, { expected: 'one notification', actual: `${length}`, exchange })
    }
  }),

  'updateAlertConfig.updated-moves': always(
    async (trial) => {
      const before = await store(trial)
      await trial.context.prerequisites.advanceClock(2)
      await trial.try({ parameters: { alertConfigId: before.id } })
      const { config, exchange } = await read(trial, before.id)
      const [old, now] = [stringAt(before.config, 'updated') ?? '', stringAt(config, 'updated') ?? '']
      const moved = Date.parse(now) > Date.parse(old)
      expectThat(moved, { expected: `updated after ${old}`, actual: `updated ${now}`, exchange })
    },
    { phase: 'alone' },
  ),

  'updateAlertConfig.webhook-url-scheme': forEach(
    () => unusableSchemes,
    (scheme) => scheme,
    async (trial, scheme) => {
      const { id } = await store(trial, { body: alertConfigBody(trial.context, false) })
      const body = configWithWebhook(trial.context, scheme)
      const exchange = await trial.try({ parameters: { alertConfigId: id }, body })
      expectError(exchange, 'VALIDATION_ERROR', `a webhook can't use the scheme ${scheme}`)
    },
  ),
})
