import { both, onApi, onChange, type Rule, timed, withBody, withContent } from '../check/rule.ts'
import type { Trial } from '../check/trial.ts'
import { inspect, isObject, type Json, type JsonObject, sameJson } from '../document/json.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Cell } from '../model/api.ts'
import { bodyOf, isSuccess } from '../model/expect.ts'
import { listedNamesOf } from '../model/listed-names.ts'
import { Violation } from '../model/signals.ts'
import { ordered } from './change-attempts.ts'
import { readOnlyFieldsOf } from './read-only-fields.ts'
import { normalized } from './resource-state.ts'
import { fieldOf } from './successful-response.ts'
import { lookAt, viewsOf } from './views.ts'

/** A read-only field, with the values to send. */
type Field = readonly [name: string, values: readonly [Json, ...Json[]]]

/** Returns the read-only fields that the specification source lists. Servers may choose the fields of links. */
const listedReadOnly = (cell: Cell): Field[] => {
  const listed = new Set(listedNamesOf(cell))
  return readOnlyFieldsOf(cell)
    .filter(({ name }) => name !== 'links' && listed.has(name))
    .map(({ name, values }) => [name, values()])
}

/** Returns the response to a change, and the response to the read right after it. */
const changeAndRead = async (trial: Trial, fields: JsonObject): Promise<Exchange[] | undefined> => {
  const { body, parameters } = await trial.good()
  const exchange = await trial.try({ body: isObject(body) ? { ...body, ...fields } : fields })
  if (!isSuccess(exchange)) return undefined
  const view = ordered(viewsOf(trial)).find(({ lists }) => lists.length === 0)
  const shown = view && (await lookAt(trial, view, { parameters, resource: bodyOf(exchange) }))
  return shown?.resource === undefined ? [exchange] : [exchange, shown.exchange]
}

/** Returns the index of the response that shows a field with the value from the request, or -1. */
const indexShowing = (seen: readonly Exchange[], name: string, sent: Json): number =>
  seen.findIndex((exchange) => {
    const value = fieldOf(bodyOf(exchange), name)
    return value !== undefined && sameJson(normalized(value), normalized(sent))
  })

/**
 * Servers may reject or ignore read-only fields. If a server might have chosen the value by itself, the check also sends
 * another value. The same response must show both values, because a job can have one state in the response and the next
 * state in the read.
 */
const expectNotSet = async (trial: Trial, fields: readonly Field[]): Promise<void> => {
  const seen = await changeAndRead(trial, Object.fromEntries(fields.map(([name, [value]]) => [name, value])))
  if (seen === undefined) {
    if (fields.length > 1) for (const field of fields) await expectNotSet(trial, [field])
    return
  }
  for (const [name, [first, second]] of fields) {
    const index = indexShowing(seen, name, first)
    const found = seen[index]
    if (found === undefined) continue
    const again = second === undefined ? undefined : await changeAndRead(trial, { [name]: second })
    if (second !== undefined && !(again && indexShowing(again, name, second) === index)) continue
    throw new Violation({
      expected: `a server that chooses ${name}, because the field is read-only`,
      actual: `the value that was sent, ${inspect(first, 80)}`,
      exchange: found,
      headline: `The request sets the read-only field \`${name}\``,
    })
  }
}

/**
 * The request can't set the read-only fields of a resource. If time passes, a state may change to the value that was
 * sent.
 */
export const readOnlyFieldsUnchanged: Rule = timed(
  (trial) => expectNotSet(trial, listedReadOnly(trial.cell)),
  {
    at: both(
      onApi,
      onChange,
      withBody,
      withContent,
      (cell) => listedReadOnly(cell).length > 0 || 'the resource has no read-only fields',
    ),
    label: 'read-only fields',
  },
)
