import { listAt, stringAt } from '../../document/json.ts'
import { bodyOf, expectSuccess, expectThat } from '../../engine/expect.ts'
import { always, rules } from '../../engine/rule.ts'

export default rules({
  /** The configuration that raised the alert is listed. */
  'listAlertConfigsByAlert.lists-the-configuration': always(async (trial) => {
    const alert = bodyOf(await trial.send(await trial.callOf('getAlert')))
    const raisedBy = stringAt(alert, 'alertConfigId')
    const exchange = await trial.try()
    expectSuccess(exchange)
    const ids = listAt(bodyOf(exchange), 'results').map((config) => stringAt(config, 'id'))
    expectThat(ids.includes(raisedBy), {
      expected: `a list with ${raisedBy}`,
      actual: ids.join(', '),
      exchange,
    })
  }),
})
