import type { Parameter } from '../document/document.ts'
import type { Cell } from '../engine/api.ts'
import { both, forEach, onApi, type Phase, type Rule } from '../engine/rule.ts'
import { Untestable } from '../engine/signals.ts'
import type { Recorded, Trial } from '../engine/trial.ts'
import type { Exchange } from '../http/exchange.ts'
import { parametersThatNameNothing } from './given.ts'

/** The parameters of a path. */
export const pathParameters = ({ definition }: Cell): Parameter[] =>
  definition.parameters.filter((one) => one.in === 'path')

/** Which parameters of a path name things of another tenant. */
interface ForeignResource {
  readonly names: readonly string[]
  readonly label: string
}

/** Parameters below the project: their values belong to one project. */
const owned = (cell: Cell): Parameter[] =>
  pathParameters(cell).filter(
    ({ name, schema }) =>
      name !== 'groupId' &&
      schema.value.enum === undefined &&
      !parametersThatNameNothing.has(`${cell.operation.id}.${name}`),
  )

/** The project of another tenant with all below it, and each thing of another tenant below the own project. */
const foreignResources = (cell: Cell): ForeignResource[] => {
  const names = pathParameters(cell).map(({ name }) => name)
  return [
    ...(names.includes('groupId') ? [{ names, label: 'groupId and all below' }] : []),
    ...owned(cell).map(({ name }) => ({ names: [name], label: name })),
  ]
}

const call = async (trial: Trial, { names }: ForeignResource): Promise<Recorded> => {
  const { target } = trial.context
  const parameters: Record<string, string> = {}
  for (const name of names) {
    const value = target.foreign?.[name]
    if (value === undefined) throw new Untestable(`the ${name} of something of another tenant`)
    parameters[name] = value
  }
  // A target that does not keep tenants apart does what it is asked.
  const leave = target.foreignMayBeLost === true && target.readOnly !== true
  if (trial.cell.operation.method !== 'GET' && !leave)
    throw new Untestable('leave to change what belongs to another tenant (foreignMayBeLost)')
  const good = await trial.call({ parameters })
  return { call: good, exchange: await trial.send(good) }
}

/** Calls the operation of a cell for what belongs to another tenant: once, since it may be gone then. */
const tryForeign = async (trial: Trial, place: ForeignResource): Promise<Exchange> => {
  let sent = false
  const seen = await trial.context.once(`foreign ${trial.cell.key} ${place.label}`, () => {
    sent = true
    return call(trial, place)
  })
  if (!sent) trial.note(seen)
  return seen.exchange
}

const readsOnly = ({ operation }: Cell): true | string => operation.method === 'GET' || 'it changes things'
const changes = ({ operation }: Cell): true | string => operation.method !== 'GET' || 'it only reads'

/** Looks at the answer for everything of another tenant: first what reads, so that nothing is gone by then. */
export const forForeign = (check: (exchange: Exchange, why: string) => void): Rule[] => {
  const rule = (at: (cell: Cell) => true | string, phase: Phase): Rule =>
    forEach(
      foreignResources,
      ({ label }) => label,
      async (trial, place) =>
        check(await tryForeign(trial, place), `${place.names.join(', ')} of another tenant`),
      { at: both(onApi, at), phase },
    )
  return [rule(readsOnly, 'read'), rule(changes, 'alone')]
}
