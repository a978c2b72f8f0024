import { always, rules } from '../../check/rule.ts'
import { stringAt } from '../../document/json.ts'
import { expectThat } from '../../model/expect.ts'
import { storedFrom } from '../../resources/alert-configs.ts'

export default rules({
  'getAlertConfig.answers-with-alert-config': always(async (trial) => {
    const { groupId, alertConfigId } = (await trial.good()).parameters
    const { config, exchange, id } = storedFrom(await trial.try())
    const right = id === alertConfigId && stringAt(config, 'groupId') === groupId
    expectThat(right, { expected: `the configuration ${alertConfigId}`, actual: id, exchange })
  }),
})
