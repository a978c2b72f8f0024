import { always, rules } from '../../check/rule.ts'
import { stringAt } from '../../document/json.ts'
import { bodyOf, expectThat } from '../../model/expect.ts'
import { allItems } from '../../resources/lists.ts'

export default rules({
  'listAlertConfigs.lists-the-project': always(async (trial) => {
    const { groupId } = (await trial.good()).parameters
    const given = await trial.callOf('getAlertConfig')
    const own = stringAt(bodyOf(await trial.send(given)), 'id')
    const { items: results, exchange } = await allItems(trial, 'listAlertConfigs')
    const groups = [...new Set(results.flatMap((config) => stringAt(config, 'groupId') ?? []))]
    const listed = results.some((config) => stringAt(config, 'id') === own)
    expectThat(listed, { expected: `a list that includes ${own}`, actual: 'a list without it', exchange })
    expectThat(
      groups.every((id) => id === groupId),
      { expected: groupId ?? '', actual: groups.join(', '), exchange },
    )
  }),
})
