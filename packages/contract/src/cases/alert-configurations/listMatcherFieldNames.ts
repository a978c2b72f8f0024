import { always, rules } from '../../check/rule.ts'
import { inspect, isArray } from '../../document/json.ts'
import { bodyOf, expectSuccess, expectThat } from '../../model/expect.ts'

const exampleName = 'APPLICATION_ID'

export default rules({
  'listMatcherFieldNames.answers-with-names': always(async (trial) => {
    const exchange = await trial.try()
    expectSuccess(exchange)
    const names = bodyOf(exchange)
    const right = isArray(names) && names.every((name) => typeof name === 'string')
    expectThat(right, {
      expected: 'an array of strings',
      actual: JSON.stringify(names).slice(0, 80),
      exchange,
    })
    // The specification only names this field as an example, so returning it is our decision.
    expectThat(names.includes(exampleName), {
      expected: `names that include ${exampleName}`,
      actual: inspect(names),
      exchange,
      strength: 'decided',
    })
  }),
})
