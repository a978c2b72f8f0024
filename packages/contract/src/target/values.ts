import { type Api, type Cell, strengthOf } from '../model/api.ts'
import { Misconfiguration } from '../model/signals.ts'
import type { ResourceIds, Target } from './target.ts'

/**
 * Returns the operation versions whose path contains this parameter. If an operation ID precedes the name, returns only
 * versions of that operation.
 */
const cellsOf = (api: Api, name: string): readonly Cell[] => {
  const [id, own] = name.split('.')
  return api.cells.filter(({ operation }) =>
    own === undefined ? operation.pathParameters.includes(name) : operation.id === id,
  )
}

/** Returns a valid example if no operation allows the given value. Only constraints from the specification count. */
const instead = (api: Api, name: string, value: string): string | undefined => {
  const [own] = name.split('.').slice(-1)
  let example: string | undefined
  for (const cell of cellsOf(api, name)) {
    const parameter = cell.definition.parameters.find((one) => one.in === 'path' && one.name === own)
    // One operation that allows the value is enough. Compiling the schemas of all other operations takes time.
    if (parameter === undefined || strengthOf(cell, parameter, value) !== 'stated') return undefined
    example ??= String(parameter.example)
  }
  return example
}

/**
 * Expects the IDs in a target file to be valid. A target rejects every request with an invalid ID.
 *
 * @throws Misconfiguration with a list of all invalid values.
 */
export const expectPossible = (api: Api, { things, foreign = {} }: Target): void => {
  const faultsIn = (field: string, values: ResourceIds): string[] =>
    Object.entries(values).flatMap(([name, value]) => {
      const example = instead(api, name, value)
      return example === undefined
        ? []
        : [`${field}.${name} must be a value such as ${example}, but was ${JSON.stringify(value)}`]
    })
  const faults = [...faultsIn('things', things), ...faultsIn('foreign', foreign)]
  if (faults.length > 0) throw new Misconfiguration(`the target has invalid values: ${faults.join('; ')}`)
}
