import { always, rules, timed } from '../../check/rule.ts'
import { expectRefusal, expectSuccess, expectThat, isRefusal } from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import { withAlert } from '../../resources/alerts.ts'
import { allItems, idOf } from '../../resources/lists.ts'

export default rules({
  'deleteAlertConfig.gone': [
    always(async (trial) => {
      const { parameters } = await trial.good()
      const { alertConfigId = '' } = parameters
      const before = await trial.callOf('getAlertConfig', { parameters: { alertConfigId } })
      expectSuccess(await trial.send(before))
      expectSuccess(await trial.try())
      expectRefusal(await trial.send(before), 'RESOURCE_NOT_FOUND', 'the configuration was deleted')
      const again = await trial.try()
      expectRefusal(again, 'RESOURCE_NOT_FOUND', 'the configuration was already deleted', 'decided')
      const { items, exchange } = await allItems(trial, 'listAlertConfigs')
      const ids = items.map(idOf)
      expectThat(!ids.includes(alertConfigId), {
        expected: 'a list without the deleted resource',
        actual: 'a list that includes it',
        exchange,
      })
    }),
    timed(
      (trial) =>
        withAlert(trial, async (_, { alertConfigId }) => {
          const parameters = { alertConfigId }
          const deleted = await trial.try({ parameters })
          // The specification doesn't say whether a server must delete a configuration that has an open alert.
          if (isRefusal(deleted.response))
            throw new Untestable('a configuration that can be deleted while it has an open alert')
          expectSuccess(deleted)
          const read = await trial.callOf('getAlertConfig', { parameters })
          expectRefusal(await trial.send(read), 'RESOURCE_NOT_FOUND', 'the configuration was deleted')
        }),
      { label: 'with an open alert' },
    ),
  ],

  'deleteAlertConfig.empty': always(async (trial) => {
    const exchange = await trial.try()
    expectSuccess(exchange)
    const { body } = exchange.response
    expectThat(body === '', { expected: 'no body', actual: `a body of ${body.length} characters`, exchange })
  }),
})
