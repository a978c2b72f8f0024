import { both, forEach, onApi, onChange, onRead, type Phase, type Rule } from '../check/rule.ts'
import type { Trial } from '../check/trial.ts'
import type { Parameter } from '../document/document.ts'
import { parametersThatNameNothing } from '../given/given.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Cell } from '../model/api.ts'
import type { Recorded } from '../model/call.ts'
import { Untestable } from '../model/signals.ts'

export const pathParameters = ({ definition }: Cell): Parameter[] =>
  definition.parameters.filter((one) => one.in === 'path')

/** Path parameters that identify another tenant's resource. */
interface ForeignResource {
  readonly names: readonly string[]
  readonly label: string
}

/** Returns the path parameters that follow the project in the path. The values belong to a single project. */
const owned = (cell: Cell): Parameter[] =>
  pathParameters(cell).filter(
    ({ name, schema }) =>
      name !== 'groupId' &&
      schema.value.enum === undefined &&
      !parametersThatNameNothing.has(`${cell.operation.id}.${name}`),
  )

/**
 * Returns paths to another tenant's project and its resources, and paths to these resources in the run's own project.
 */
const foreignResources = (cell: Cell): ForeignResource[] => {
  const names = pathParameters(cell).map(({ name }) => name)
  return [
    ...(names.includes('groupId') ? [{ names, label: 'all IDs' }] : []),
    ...owned(cell).map(({ name }) => ({ names: [name], label: name })),
  ]
}

const call = async (trial: Trial, { names }: ForeignResource): Promise<Recorded> => {
  const { target } = trial.context
  const parameters: Record<string, string> = {}
  for (const name of names) {
    const value = target.foreign?.[name]
    if (value === undefined) throw new Untestable(`the ${name} of another tenant's resource`)
    parameters[name] = value
  }
  // A target that doesn't isolate tenants performs these requests.
  const leave = target.foreignMayBeLost === true && target.readOnly !== true
  if (trial.cell.operation.method !== 'GET' && !leave)
    throw new Untestable("permission to change another tenant's resources (foreignMayBeLost)")
  const good = await trial.call({ parameters })
  return { call: good, exchange: await trial.send(good) }
}

/**
 * Calls the operation under test for another tenant's resource. The operation is called only once, because it
 * may delete the resource.
 */
const tryForeign = async (trial: Trial, place: ForeignResource): Promise<Exchange> => {
  let sent = false
  const seen = await trial.context.once(`foreign ${trial.cell.key} ${place.label}`, () => {
    sent = true
    return call(trial, place)
  })
  if (!sent) trial.note(seen)
  return seen.exchange
}

/**
 * Checks the responses for all resources of another tenant. Reads come first, because later
 * requests may delete a resource.
 */
export const forForeign = (check: (exchange: Exchange, why: string) => void): Rule[] => {
  const rule = (at: (cell: Cell) => true | string, phase: Phase): Rule =>
    forEach(
      foreignResources,
      ({ label }) => label,
      async (trial, place) =>
        check(await tryForeign(trial, place), `${place.names.join(', ')} of another tenant`),
      { at: both(onApi, at), phase },
    )
  return [rule(onRead, 'read'), rule(onChange, 'alone')]
}
