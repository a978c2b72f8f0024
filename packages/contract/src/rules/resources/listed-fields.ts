import { forEach, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { isObject } from '../../document/json.ts'
import { bodyOf, expectSuccess, expectThat } from '../../model/expect.ts'
import { NotApplicable } from '../../model/signals.ts'
import { type ListedField, listedFields } from '../../resources/listed-fields.ts'
import { fieldOf } from '../../resources/successful-response.ts'
import { identityOf } from '../../resources/views.ts'

const expectField = async (trial: Trial, { name, strength }: ListedField): Promise<void> => {
  const { demo, prerequisites } = trial.context
  if (!prerequisites.canSeed) throw new NotApplicable('the fields of the resource are unknown')
  const exchange = await trial.try()
  expectSuccess(exchange)
  const body = bodyOf(exchange)
  // The kit may read a different resource than the documented response shows.
  const id = identityOf(body)
  const row = Object.values(demo.rows)
    .flat()
    .find((one) => identityOf(one) === id)
  if (id !== undefined && fieldOf(row, name) === undefined)
    throw new NotApplicable('the resource may have no such field')
  expectThat(fieldOf(body, name) !== undefined, {
    expected: `the field ${name}, for which the resource has a value`,
    actual: isObject(body) ? `only ${Object.keys(body).join(', ')}` : 'a body that is not an object',
    exchange,
    strength,
  })
}

export default rules({
  /** An operation that reads a resource returns all fields for which the resource has a value. */
  'resources.listed-fields': forEach(listedFields, ({ name }) => name, expectField, {
    at: (cell) => listedFields(cell).length > 0 || 'the operation reads no documented resource',
  }),
})
