import { always, type Check, rules } from '../../check/rule.ts'
import { expectServed } from '../../model/expect.ts'

const served: Check = async (trial) => {
  const call = await trial.call()
  const exchange = await trial.send(call)
  if (exchange.response.status >= 400) expectServed(exchange, `a success at ${call.method} ${call.path}`)
}

export default rules({
  'operations.method-and-path': always(served),
  // The specification shows the method and path only for these operations.
  'operations.shown-method-and-path': always(served),
})
