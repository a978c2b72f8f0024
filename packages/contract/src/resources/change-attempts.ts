import { onCreate } from '../check/rule.ts'
import type { Trial } from '../check/trial.ts'
import { changedBodies } from '../document/changed-values.ts'
import type { Json } from '../document/json.ts'
import type { Cell } from '../model/api.ts'
import { type Call, valuesIn } from '../model/call.ts'
import { bodyOf, describeResponse, isSuccess } from '../model/expect.ts'
import { NotApplicable, Untestable } from '../model/signals.ts'
import { fullBodyOf } from './optional-fields.ts'
import { parametersFor, schemaOf, type View, viewsOf } from './views.ts'

/** Puts views of a single resource first, because they show the ID that is needed to find the resource in lists. */
export const ordered = (views: readonly View[]): View[] =>
  [...views].sort((one, other) => Number(one.lists.length > 0) - Number(other.lists.length > 0))

/** Returns the schema of the resource that the operation under test changes, even if the response is empty. */
export const shownSchemaOf = (trial: Trial): string | undefined => {
  const [first] = ordered(viewsOf(trial))
  return schemaOf(trial.cell) ?? (first && schemaOf(first.cell))
}

/** A request that will change a resource. */
export interface Attempt {
  readonly call: Call
  readonly parameters: Readonly<Record<string, string>>
  readonly body: Json | undefined
  /** Returns the error that ends the check if the target rejects the request. */
  readonly onRefusal: (response: string) => Error
}

export type AttemptOf = (trial: Trial) => Promise<Attempt>

/** Changes the seeded resource that most checks change. */
export const changeGiven: AttemptOf = async (trial) => ({
  ...(await trial.good()),
  call: await trial.call(),
  onRefusal: (response) => new Untestable(`a valid call that succeeds (${response})`),
})

/** Returns the operation that creates the kind of resource that the operation under test changes. */
const creatorOf = (trial: Trial): Cell => {
  const schema = shownSchemaOf(trial)
  const { context, cell } = trial
  const creator = context.api.cells.find(
    (one) =>
      onCreate(one) === true &&
      one.version.id === cell.version.id &&
      schema !== undefined &&
      schemaOf(one) === schema,
  )
  if (creator === undefined) throw new NotApplicable('no operation creates the resource')
  return creator
}

/**
 * Changes a resource that a request has just created. A server might store created resources and seeded
 * resources differently.
 */
export const changeCreated: AttemptOf = async (trial) => {
  const { cell } = trial
  const creator = creatorOf(trial)
  const call = await trial.callOf(creator.operation.id)
  const created = await trial.send(call)
  if (!isSuccess(created)) throw new Untestable(`a resource to change (${describeResponse(created)})`)
  const known = valuesIn(call.path, creator.operation.path)
  const parameters = parametersFor({ cell, lists: [] }, known, bodyOf(created))
  if (parameters === undefined) throw new NotApplicable('the path does not identify the resource')
  return {
    parameters,
    body: (await trial.good()).body,
    call: await trial.call({ parameters }),
    onRefusal: (response) => new NotApplicable(`a new resource can't be changed yet (${response})`),
  }
}

/** The maximum number of other bodies to try. */
const maxOtherBodies = 3

/** Changes a resource a second time. A server might store only the first change. */
export const changeTwice: AttemptOf = async (trial) => {
  const { body } = await trial.good()
  const { definition, version } = trial.cell
  const others =
    definition.body === undefined || body === undefined
      ? []
      : changedBodies(version.validator, definition.body.schema, body).slice(0, maxOtherBodies)
  for (const other of others) {
    if (!isSuccess(await trial.try({ body: other }))) continue
    const attempt = await changeGiven(trial)
    return {
      ...attempt,
      onRefusal: (response) => new NotApplicable(`the resource can't be changed twice (${response})`),
    }
  }
  throw new NotApplicable('no other body is known that the target accepts')
}

/** Creates a resource with a value for every optional field. A list might omit fields that few resources have. */
export const createFull: AttemptOf = async (trial) => {
  const body = fullBodyOf(trial)
  return {
    ...(await trial.good()),
    body,
    call: await trial.call({ body }),
    onRefusal: (response) => new NotApplicable(`optional fields that exclude each other (${response})`),
  }
}
