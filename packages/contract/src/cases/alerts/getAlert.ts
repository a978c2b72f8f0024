import { always, rules } from '../../check/rule.ts'
import { stringAt } from '../../document/json.ts'
import { expectThat } from '../../model/expect.ts'
import { readAlert } from '../../resources/alerts.ts'

export default rules({
  'getAlert.answers-with-alert': always(async (trial) => {
    const { alertId = '', groupId } = (await trial.good()).parameters
    const { alert, exchange } = await readAlert(trial, alertId)
    const right = stringAt(alert, 'id') === alertId && stringAt(alert, 'groupId') === groupId
    expectThat(right, { expected: `the alert ${alertId}`, actual: stringAt(alert, 'id'), exchange })
  }),
})
