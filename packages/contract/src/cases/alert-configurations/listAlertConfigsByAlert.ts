import { always, ownResourceRule, rules, timed } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { listAt, stringAt } from '../../document/json.ts'
import type { CallChanges } from '../../model/call.ts'
import { bodyOf, expectSuccess, expectThat } from '../../model/expect.ts'
import { fullConfigBody, store } from '../../resources/alert-configs.ts'
import { withAlert } from '../../resources/alerts.ts'

const listed = async (trial: Trial, parameters: CallChanges['parameters'] = {}) => {
  const exchange = await trial.try({ parameters })
  expectSuccess(exchange)
  return { exchange, ids: listAt(bodyOf(exchange), 'results').map((config) => stringAt(config, 'id')) }
}

export default rules({
  'listAlertConfigsByAlert.lists-the-configuration': [
    always(async (trial) => {
      const alert = bodyOf(await trial.send(await trial.callOf('getAlert')))
      const raisedBy = stringAt(alert, 'alertConfigId')
      const { ids, exchange } = await listed(trial)
      expectThat(ids.includes(raisedBy), {
        expected: `a list that includes ${raisedBy}`,
        actual: ids.join(', '),
        exchange,
      })
    }),
    ownResourceRule(
      async (trial) => {
        const body = fullConfigBody(trial.context, false)
        // Neither configuration raised the alert. Excluding the disabled configuration from the list is our decision.
        for (const [other, strength] of [
          [{ ...body, eventTypeName: 'CREDIT_CARD_ABOUT_TO_EXPIRE' }, 'stated'],
          [body, 'decided'],
        ] as const) {
          const { id } = await store(trial, { body: other })
          const { ids, exchange } = await listed(trial)
          expectThat(!ids.includes(id), {
            expected: 'only configurations that could have raised the alert',
            actual: `a list that includes ${id}, which was created later and is disabled`,
            exchange,
            strength,
          })
        }
      },
      { label: 'no other configuration' },
    ),
    timed(
      (trial) =>
        withAlert(trial, async (alertId, { alertConfigId, end }) => {
          await end()
          const { ids, exchange } = await listed(trial, { alertId })
          expectThat(ids.includes(alertConfigId), {
            expected: `a list that includes ${alertConfigId}`,
            actual: ids.join(', '),
            exchange,
          })
        }),
      { label: 'for a closed alert' },
    ),
  ],
})
