import { forEach, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { inspect, isObject, type Json, type JsonObject } from '../../document/json.ts'
import { alertConfigBody } from '../../given/given.ts'
import { expectThat, isRefusal } from '../../model/expect.ts'
import { fullConfigBody, knownOfConfig, read, store, storedFrom } from '../../resources/alert-configs.ts'
import { expectSame } from '../../resources/successful-response.ts'

const flagOf = (config: Json): Json | undefined => (isObject(config) ? config.enabled : undefined)

const flags = () => [true, false]

/** Servers may reject fields other than the flag. */
const changesOnlyFlag = async (trial: Trial, body: { enabled: boolean } & JsonObject): Promise<void> => {
  const before = await store(trial, { body: fullConfigBody(trial.context, !body.enabled) })
  const response = await trial.try({ parameters: { alertConfigId: before.id }, body })
  const hasOthers = Object.keys(body).length > 1
  const seen = hasOthers && isRefusal(response.response) ? [] : [storedFrom(response)]
  // `updated` is excluded because it changes with every update.
  const rest = (each: Json) => knownOfConfig(trial, each, 'enabled', 'updated')
  for (const { config, exchange } of [...seen, await read(trial, before.id)])
    expectSame(exchange, 'the rest', rest(config), rest(before.config))
}

export default rules({
  'toggleAlertConfig.sets-flag': forEach(flags, String, async (trial, enabled) => {
    const { id } = await store(trial, { body: alertConfigBody(trial.context, !enabled) })
    // The second request repeats the current value, which must not toggle the setting.
    for (const before of [!enabled, enabled]) {
      const updatedConfig = storedFrom(
        await trial.try({ parameters: { alertConfigId: id }, body: { enabled } }),
      )
      const again = await read(trial, id)
      for (const { config, exchange } of [updatedConfig, again]) {
        const actual = `enabled ${inspect(flagOf(config))}`
        const expected = `enabled ${enabled} (previously ${before})`
        expectThat(flagOf(config) === enabled, { expected, actual, exchange })
      }
    }
  }),

  'toggleAlertConfig.changes-nothing-else': [
    forEach(flags, String, (trial, enabled) => changesOnlyFlag(trial, { enabled })),
    forEach(
      flags,
      (enabled) => `${enabled} with other fields`,
      (trial, enabled) => changesOnlyFlag(trial, { enabled, severityOverride: 'ERROR', matchers: [] }),
    ),
  ],
})
