import { always, rules } from '../../check/rule.ts'
import { isArray } from '../../document/json.ts'
import { bodyOf, expectSuccess, expectThat } from '../../model/expect.ts'

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
    expectThat(names.length > 0, {
      expected: 'at least one name',
      actual: 'none',
      exchange,
      strength: 'decided',
    })
  }),
})
