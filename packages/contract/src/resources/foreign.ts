import { both, forEach, onApi, onChange, onRead, type Phase, type Rule } from '../check/rule.ts'
import type { Trial } from '../check/trial.ts'
import type { Parameter } from '../document/document.ts'
import { isObject, type Json, jsonBody, sameJson } from '../document/json.ts'
import { parametersThatNameNothing } from '../given/given.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Cell } from '../model/api.ts'
import type { Recorded } from '../model/call.ts'
import { isSuccess } from '../model/expect.ts'
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

/** Returns a value for a path parameter that identifies no resource. */
export const unknownValue = ({ schema }: Parameter, { random }: Trial): string =>
  schema.value.maxLength === schema.value.minLength
    ? random.hex(Number(schema.value.maxLength))
    : `nothing-${random.hex(8)}`

/** Returns the body without links, because links contain the path. */
const withoutLinks = ({ response }: Exchange): Json => {
  const body = jsonBody(response) ?? null
  return isObject(body) ? { ...body, links: [] } : body
}

/**
 * Returns whether the server responds in the same way if no resource has the identifier. For example, a server may
 * return an empty list, or report the removal of an unknown resource as a success. In the caller's project, another
 * tenant's resource is unknown too, so the success doesn't mean that the server read or removed it.
 */
const treatsAsUnknown = async (
  trial: Trial,
  { names }: ForeignResource,
  exchange: Exchange,
): Promise<boolean> => {
  const { method } = trial.cell.operation
  if (!['GET', 'DELETE'].includes(method) || names.includes('groupId')) return false
  const named = pathParameters(trial.cell).filter(({ name }) => names.includes(name))
  const parameters = Object.fromEntries(named.map((one) => [one.name, unknownValue(one, trial)]))
  const unknown = await trial.try({ parameters })
  if (!isSuccess(unknown)) return false
  return method === 'DELETE' || sameJson(withoutLinks(exchange), withoutLinks(unknown))
}

type ForeignCheck = (
  exchange: Exchange,
  why: string,
  isUnknown: () => Promise<boolean>,
) => Promise<void> | void

/**
 * Checks the responses for all resources of another tenant. Reads come first, because later
 * requests may delete a resource.
 *
 * @param check Receives the response, the reason for a rejection, and whether the server responds in the same way for
 * unknown resources.
 */
export const forForeign = (check: ForeignCheck): Rule[] => {
  const rule = (at: (cell: Cell) => true | string, phase: Phase): Rule =>
    forEach(
      foreignResources,
      ({ label }) => label,
      async (trial, place) => {
        const exchange = await tryForeign(trial, place)
        const why = `${place.names.join(', ')} of another tenant`
        await check(exchange, why, () => treatsAsUnknown(trial, place, exchange))
      },
      { at: both(onApi, at), phase },
    )
  return [rule(onRead, 'read'), rule(onChange, 'alone')]
}
