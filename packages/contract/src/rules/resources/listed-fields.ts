import { forEach, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { isObject } from '../../document/json.ts'
import { bodyOf, expectSuccess, expectThat } from '../../model/expect.ts'
import { listedFields, resourceWith } from '../../resources/listed-fields.ts'
import { fieldOf } from '../../resources/successful-response.ts'

const expectField = async (trial: Trial, name: string): Promise<void> => {
  const parameters = resourceWith(trial, name)
  const exchange = await trial.try(parameters && { parameters })
  expectSuccess(exchange)
  const body = bodyOf(exchange)
  expectThat(fieldOf(body, name) !== undefined, {
    expected: `the field ${name}, for which the resource has a value`,
    actual: isObject(body) ? `only ${Object.keys(body).join(', ')}` : 'a body that is not an object',
    exchange,
  })
}

export default rules({
  'resources.listed-fields': forEach(listedFields, (name) => name, expectField, {
    at: (cell) => listedFields(cell).length > 0 || 'the operation reads no documented resource',
  }),
})
