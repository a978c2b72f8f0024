import { both, forEach, onApi, rules, withBody } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import {
  bodyWith,
  changesOfFalse,
  changesOfFull,
  type FieldGroup,
  type FieldSet,
  fieldPairs,
  fieldSets,
  oppositeFlags,
} from '../../document/field-sets.ts'
import { isObject, type Json, jsonBody, objectAt, sameJson } from '../../document/json.ts'
import { flatten } from '../../document/probes.ts'
import { bodyOnTarget, boundByMoreThanSchema } from '../../given/given.ts'
import type { Exchange } from '../../http/exchange.ts'
import { type Cell, successSchemaOf } from '../../model/api.ts'
import { describeResponse, expectServed, isSuccess } from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import { createStrongest, type Strongest } from '../../model/strongest.ts'
import { changeablePath, type PathParameters } from '../../resources/changeable.ts'
import { fieldHeadline } from '../../resources/field-headline.ts'
import { groupsOf } from '../../resources/optional-fields.ts'
import { normalized, shownAs } from '../../resources/resource-state.ts'
import { visibleIn } from '../../resources/stored.ts'
import { expectSame, expectStoredAs, fieldOf, secondsIn } from '../../resources/successful-response.ts'
import { lookAt, viewsOf } from '../../resources/views.ts'

/** Returns the fields of a response under the names that they have in requests. */
const asSent = (cell: Cell, resource: Json | undefined): Json | undefined => {
  if (!isObject(resource)) return resource && normalized(resource)
  const names = Object.keys(objectAt(flatten(cell.version.document, bodySchema(cell)), 'properties'))
  return Object.fromEntries(
    names.flatMap((name): [string, Json][] => {
      const value = resource[name] ?? resource[shownAs[name] ?? name]
      return value === undefined ? [] : [[name, normalized(value)]]
    }),
  )
}

const bodySchema = ({ definition, version }: Cell) => definition.body?.schema ?? version.document.follow('')

/** A resource in one response. */
interface Representation {
  /** `response`, or the name of the operation that read the resource. */
  readonly origin: string
  readonly exchange: Exchange
  readonly resource: Json | undefined
}

interface Written {
  readonly body: Json
  readonly exchange: Exchange
  /** The resource as the target shows it after the request: in the response, and in later reads. */
  readonly shown: readonly Representation[]
  /** The resource before the request. The field is undefined if the request creates it, or if it can't be read. */
  readonly initial: Json | undefined
}

const readBack = async (
  trial: Trial,
  parameters: PathParameters,
  response: Json | undefined,
): Promise<Representation[]> => {
  const views = viewsOf(trial)
  const view = views.find(({ lists }) => lists.length === 0) ?? views.find(({ lists }) => lists[0] === '')
  const read = view && (await lookAt(trial, view, { parameters, resource: response }))
  return read && isSuccess(read.exchange) && read.resource !== undefined
    ? [{ ...read, origin: read.view.cell.operation.id }]
    : []
}

/** For these partial updates, the specification source says that omitted fields stay unchanged. */
const statedPartial: ReadonlySet<string> = new Set(['updateBackupSchedule'])

/** Returns whether the operation is a partial update, which keeps the values of earlier updates. */
const isPartial = ({ operation }: Cell): boolean => operation.method === 'PATCH'

/** Waits until a compliance policy can change again. If the kit can't wait, the target may reject the next change. */
const settled = async ({ cell, context: { prerequisites } }: Trial): Promise<void> => {
  if (cell.operation.id === 'updateCompliancePolicy' && prerequisites.canMoveClock)
    await prerequisites.advanceClock(secondsIn('compliance-policy', 'UPDATING'))
}

/**
 * Sends a body. Partial updates all change the same resource. In other operations, each body creates or
 * changes a new resource in its initial state.
 *
 * @param first A body to send before, so that the resource has another state than its initial one.
 */
const write = async (
  trial: Trial,
  parameters: PathParameters,
  body: Json,
  first?: Json,
): Promise<Written> => {
  const { cell } = trial
  const changes = { body, ...(cell.operation.method !== 'POST' && { parameters }) }
  const call = isPartial(cell) ? await trial.call(changes) : await trial.callOf(cell.operation.id, changes)
  if (first !== undefined) {
    await trial.send(await trial.call({ body: first, parameters }))
    await settled(trial)
  }
  const isUpdate = cell.operation.method !== 'POST'
  const initial = isUpdate ? (await readBack(trial, parameters, undefined))[0]?.resource : undefined
  const exchange = await trial.send(call)
  if (!isSuccess(exchange)) return { body, exchange, shown: [], initial }
  const response = jsonBody(exchange.response)
  return {
    body,
    exchange,
    initial,
    shown: [
      { origin: 'response', exchange, resource: response },
      ...(await readBack(trial, parameters, response)),
    ],
  }
}

const isEntangled = ({ operation }: Cell): boolean =>
  [...boundByMoreThanSchema].some((name) => name.startsWith(`${operation.id}/`))

/**
 * Returns whether an update changes a field that it omits to a value other than the default. The specification states
 * the default, but not whether updates reset or keep omitted fields.
 */
const isNeitherKeptNorDefault = (
  actual: Json | undefined,
  initial: Json | undefined,
  usual: Json | undefined,
): boolean =>
  [actual, initial, usual].every((value) => value !== undefined) &&
  ![initial, usual].some((value) => sameJson(actual ?? null, normalized(value ?? null)))

/** Returns the default of a field in responses. The bodies of partial updates have no defaults. */
const defaultInResponses = ({ version, ...cell }: Cell, name: string): Json | undefined => {
  const place = successSchemaOf({ version, ...cell })
  if (place === undefined) return undefined
  const fields = objectAt(flatten(version.document, place), 'properties')
  return name in fields
    ? flatten(version.document, version.document.follow(`${place.pointer}/properties/${name}`)).default
    : undefined
}

const namesOf = (set: FieldSet): string => set.map(({ name }) => name).join(', ') || 'no optional field'

/**
 * Checks the fields that the body doesn't contain. A partial update keeps the values of omitted fields. In other
 * operations, the values of omitted fields don't depend on the fields in the body.
 */
const expectOthers = (
  trial: Trial,
  group: FieldGroup,
  set: FieldSet,
  { written, before, strongest }: { written: Written; before: Written; strongest: Strongest },
): void => {
  const { cell } = trial
  const own = new Set(set.map(({ name }) => name))
  const others = group.fields.filter(({ name }) => !own.has(name))
  for (const [index, { origin, exchange, resource }] of written.shown.entries()) {
    const earlier = before.shown[index]?.resource ?? before.shown[0]?.resource
    for (const { name, default: usual } of others) {
      const actual = fieldOf(asSent(cell, resource), name)
      const isDefault = !isPartial(cell) && usual !== undefined && actual !== undefined
      const expected = isDefault ? normalized(usual) : fieldOf(asSent(cell, earlier), name)
      const initial = fieldOf(asSent(cell, written.initial), name)
      // Resetting fields that an update omits is our decision.
      const isStated =
        (isDefault && cell.operation.method !== 'PUT') ||
        statedPartial.has(cell.operation.id) ||
        isNeitherKeptNorDefault(actual, initial, usual ?? defaultInResponses(cell, name))
      strongest.expect(() =>
        expectSame(exchange, `${name} in a body with ${namesOf(set)}:`, actual, expected, {
          strength: isStated ? 'stated' : 'decided',
          ...fieldHeadline([name], { origin, actual, expected, because: 'not sent' }),
        }),
      )
    }
  }
}

const expectStored = (trial: Trial, { body, shown }: Written, strongest: Strongest): void => {
  const sent = normalized(visibleIn(trial.cell, body))
  for (const { origin, exchange, resource } of shown)
    for (const [name, value] of Object.entries(isObject(sent) ? sent : {})) {
      const actual = fieldOf(asSent(trial.cell, resource), name)
      const found = actual === undefined ? {} : { [name]: actual }
      const headline = fieldHeadline([name], { origin, actual, expected: value, because: 'sent' })
      const { version } = trial.cell
      strongest.expect(() =>
        expectStoredAs(
          version,
          bodySchema(trial.cell),
          { exchange, body: found },
          { [name]: value },
          headline,
        ),
      )
    }
}

/** The maximum number of pairs to test. Testing more pairs takes too long on a slow target. */
const maxPairs = 30

const checkSets = async (trial: Trial, group: FieldGroup): Promise<void> => {
  const { cell, context } = trial
  const parameters = await changeablePath(trial)
  let previous: Written | undefined
  let refused: Exchange | undefined
  const strongest = createStrongest()
  const bodyOf = (set: FieldSet, round: number): Json =>
    bodyOnTarget(context, cell, bodyWith(group, set, round))
  const check = async (set: FieldSet, round: number, first?: Json): Promise<boolean> => {
    const written = await write(trial, parameters, bodyOf(set, round), first)
    if (!isSuccess(written.exchange)) {
      refused = written.exchange
      if (isEntangled(cell) || !group.isOuter) return false
      expectServed(written.exchange, `a success for a body with ${namesOf(set)}`)
    }
    expectStored(trial, written, strongest)
    if (previous && group.isOuter) expectOthers(trial, group, set, { written, before: previous, strongest })
    if (!previous || isPartial(cell)) previous = written
    return true
  }
  let accepted: FieldSet[] = []
  const checkAll = async (sets: readonly FieldSet[], first?: Json): Promise<void> => {
    for (const [round, set] of sets.entries())
      if (await check(set, round, first)) accepted = [...accepted, set]
  }
  const sets = fieldSets(group)
  await checkAll([...sets.slice(0, -1), ...oppositeFlags(group), ...sets.slice(-1)])
  if (accepted.at(-1) !== sets.at(-1)) await checkAll(fieldPairs(group, maxPairs))
  if (isPartial(cell) && group.isOuter) await checkAll(changesOfFull(group))
  if (cell.operation.method !== 'POST' && group.isOuter) await checkAll(changesOfFalse(group))
  // After a request without optional fields, they have their defaults, so a field that changes is neither kept nor reset.
  if (cell.operation.method === 'PUT' && group.isOuter)
    await checkAll(
      sets.filter(({ length }) => length === 1),
      bodyOf([], 0),
    )
  if (accepted.length === 0 && refused)
    throw new Untestable(`a valid call that succeeds (${describeResponse(refused)})`)
  strongest.end()
}

export default rules({
  'bodies.optional-fields-apart': forEach<FieldGroup>(
    groupsOf,
    ({ fields: [first], isOuter }) => (isOuter ? '' : `in ${first.path.slice(0, -1).join('/')}`),
    checkSets,
    { at: both(onApi, withBody, (cell) => groupsOf(cell).length > 0 || 'no independent optional field') },
  ),
})
