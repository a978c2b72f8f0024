import { expectThat, tellAnswer } from '../../engine/expect.ts'
import { always, rules } from '../../engine/rule.ts'

export default rules({
  'operations.method-and-path': always(async (trial) => {
    const call = await trial.call()
    const exchange = await trial.send(call)
    expectThat(exchange.response.status < 400, {
      expected: `a success at ${call.method} ${call.path}`,
      actual: tellAnswer(exchange),
      exchange,
    })
  }),
})
