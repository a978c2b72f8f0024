import { both, type Check, forEach, onApi, type Rule } from '../check/rule.ts'
import type { Trial } from '../check/trial.ts'
import { listAt } from '../document/json.ts'
import { flatten } from '../document/probes.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Cell } from '../model/api.ts'
import type { Query } from '../model/call.ts'
import { expectPage } from './lists.ts'

/**
 * A parameter must have the same effect when a request also has other parameters. These rules combine each parameter
 * with every other parameter, and with all other parameters together.
 */

const queryParametersOf = ({ definition }: Cell) => definition.parameters.filter((one) => one.in === 'query')

/** With these values, parameters have a visible effect on a list of two items. */
const chosen: Readonly<Record<string, string>> = { itemsPerPage: '1', pageNum: '2' }

/** Returns a value other than the default for each query parameter. */
const valuesOf = (cell: Cell): Query =>
  queryParametersOf(cell).flatMap(({ name, schema, example }): Query => {
    const own = chosen[name]
    if (own !== undefined) return [[name, own]]
    const { type, default: usual } = schema.value
    if (type === 'boolean') return [[name, String(usual !== true)]]
    const [first] = listAt(flatten(cell.version.document, schema), 'enum')
    const value = first ?? example
    return value === undefined ? [] : [[name, String(value)]]
  })

/** Each of these parameters is valid only together with the other parameters in its group. */
const together: readonly (readonly string[])[] = [['start', 'end']]

/** Returns the queries to combine a parameter with: each other parameter, and then all other parameters together. */
const companionsOf = (cell: Cell, name: string): Query[] => {
  const others = valuesOf(cell).filter(([other]) => other !== name)
  const groups = others.map((one) => {
    const partners = together.find((names) => names.includes(one[0]))
    return partners === undefined ? [one] : others.filter(([other]) => partners.includes(other))
  })
  const distinct = new Map(groups.map((group) => [labelOf(group), group]))
  return [...distinct.values(), ...(distinct.size > 1 ? [others] : [])]
}

const labelOf = (query: Query): string => `with ${query.map(([name, value]) => `${name}=${value}`).join('&')}`

/** Adds a page size that is small enough for the list to have a second page. */
const withSize = (query: Query): Query => {
  const names = query.map(([name]) => name)
  const missing = names.includes('pageNum') && !names.includes('itemsPerPage')
  return missing ? [...query, ['itemsPerPage', '1']] : query
}

type Effect = (trial: Trial, exchange: Exchange, query: Query) => void | Promise<void>

const check =
  (name: string, companion: Query, effect: Effect): Check =>
  async (trial) => {
    const own = valuesOf(trial.cell).filter(([other]) => other === name)
    const query = withSize([...own, ...companion])
    const exchange = await trial.try({ query })
    await expectPage(trial, exchange, query)
    await effect(trial, exchange, query)
  }

/** Creates a rule that tests a parameter in combination with all other parameters. */
export const combined = (
  name: string,
  effect: Effect,
  applies: (cell: Cell) => true | string = () => true,
): Rule => {
  const inOperation = (cell: Cell): boolean => queryParametersOf(cell).some((one) => one.name === name)
  return {
    ...forEach<Query>(
      (cell) => companionsOf(cell, name),
      labelOf,
      (trial, companion) => check(name, companion, effect)(trial),
    ),
    at: both(onApi, (cell) => inOperation(cell) || `no parameter ${name}`, applies),
  }
}
