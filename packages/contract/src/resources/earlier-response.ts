import type { OperationId } from '@svc-admin/types'
import { contrast } from '../document/contrast.ts'
import { isObject, type Json, sameJson } from '../document/json.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Cell } from '../model/api.ts'
import { documentedOnly } from '../model/documented.ts'
import { Violation } from '../model/signals.ts'
import { fieldHeadline } from './field-headline.ts'
import { differentFields } from './resource-state.ts'
import { expectSame, fieldOf, only, type SuccessfulResponse } from './successful-response.ts'
import { schemaOf } from './views.ts'

/** A value from an earlier response, and the operation that returned it. */
interface Earlier {
  readonly operation: OperationId
  readonly value: Json
}

const nameOf = (operation: OperationId): string => `the earlier response to ${operation}`

const headlineFor = (names: readonly string[], actual: Json, { operation, value }: Earlier) =>
  fieldHeadline(names, {
    origin: 'the later response',
    actual: fieldOf(actual, names[0] ?? ''),
    expected: fieldOf(value, names[0] ?? ''),
    because: { earlier: nameOf(operation) },
  })

/**
 * Expects a later response to have the same values as an earlier one. Either response can be wrong, so the text names
 * the earlier response.
 */
export const expectSameAsEarlier = (exchange: Exchange, actual: Json, earlier: Earlier): void => {
  const [found, wanted] = [documentedOnly(actual), documentedOnly(earlier.value)]
  const names = Object.keys({ ...(isObject(wanted) && wanted), ...(isObject(found) && found) }).filter(
    (name) => !sameJson(fieldOf(found, name), fieldOf(wanted, name)),
  )
  const headline = names.length === 0 ? {} : headlineFor(names, actual, earlier)
  expectSame(exchange, `the values of ${nameOf(earlier.operation)},`, actual, earlier.value, headline)
}

/**
 * Expects a job's `components` to be the same in the create response and in a later read, unless the job's state has
 * changed. The specification doesn't say when a job gets its components.
 */
export const expectSameComponents = (
  cell: Cell,
  created: SuccessfulResponse,
  found: SuccessfulResponse,
): void => {
  const compared = { cell, schema: schemaOf(cell) ?? '', sent: new Set<string>() }
  const different = differentFields(compared, created.body, found.body)
  if (!different.some(({ name }) => name === 'components')) return
  const [actual, value] = [only(found.body, 'components'), only(created.body, 'components')]
  const earlier: Earlier = { operation: cell.operation.id, value }
  const shown = contrast(actual, value)
  throw new Violation({
    expected: `the values of ${nameOf(earlier.operation)}, ${shown.expected}`,
    actual: shown.actual,
    exchange: found.exchange,
    strength: 'decided',
    ...headlineFor(['components'], found.body, earlier),
  })
}
