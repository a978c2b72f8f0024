import { always, forEach, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { isObject } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import { bodyOf, describeResponse, expectSuccess, expectThat, isSuccess } from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import { listedFields, listedFieldsOfChange, resourceWith } from '../../resources/listed-fields.ts'
import { fieldOf } from '../../resources/successful-response.ts'

const expectField = (exchange: Exchange, name: string): void => {
  const body = bodyOf(exchange)
  expectThat(fieldOf(body, name) !== undefined, {
    expected: `the field ${name}, for which the resource has a value`,
    actual: isObject(body) ? `only ${Object.keys(body).join(', ')}` : 'a body that is not an object',
    exchange,
  })
}

const readsField = async (trial: Trial, name: string): Promise<void> => {
  const parameters = resourceWith(trial, name)
  const exchange = await trial.try(parameters && { parameters })
  expectSuccess(exchange)
  expectField(exchange, name)
}

const changeShowsFields = always(
  async (trial) => {
    const exchange = await trial.try()
    if (!isSuccess(exchange))
      throw new Untestable(`a valid call that succeeds (${describeResponse(exchange)})`)
    for (const name of listedFieldsOfChange(trial.cell)) expectField(exchange, name)
  },
  {
    at: (cell) => listedFieldsOfChange(cell).length > 0 || 'another operation reads the resource',
    label: 'change',
  },
)

export default rules({
  'resources.listed-fields': [
    forEach(listedFields, (name) => name, readsField, {
      at: (cell) => listedFields(cell).length > 0 || 'the operation reads no documented resource',
    }),
    changeShowsFields,
  ],
})
