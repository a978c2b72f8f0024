import { always, type Check, rules } from '../../check/rule.ts'
import { describeResponse, expectThat } from '../../model/expect.ts'

const served: Check = async (trial) => {
  const call = await trial.call()
  const exchange = await trial.send(call)
  expectThat(exchange.response.status < 400, {
    expected: `a success at ${call.method} ${call.path}`,
    actual: describeResponse(exchange),
    exchange,
  })
}

export default rules({
  'operations.method-and-path': always(served),
  // The specification shows a method and path only for these operations.
  'operations.shown-method-and-path': always(served),
})
