import { both, forEach, onApi, withBody } from '../check/rule.ts'
import type { Trial } from '../check/trial.ts'
import { isIdentifier } from '../document/identifier.ts'
import { escapeToken, isArray, isObject, type Json, valueAt, withValue } from '../document/json.ts'
import { type Cell, fits, schemaErrorOf, strengthOf } from '../model/api.ts'
import type { CallChanges } from '../model/call.ts'
import { expectRefusal } from '../model/expect.ts'
import { NotApplicable } from '../model/signals.ts'
import { pathParameters } from './foreign.ts'

/**
 * These rules send the IDs of existing resources in uppercase. A server that ignores the letter case finds the resources
 * and accepts the request, so each request needs resources that a valid call may change. Unknown IDs can't show this
 * fault, because servers reject them anyway.
 */

const digits = 'abcdef0123456789abcdef01'

const identifiersInPath = (cell: Cell) =>
  pathParameters(cell).filter(
    (parameter) => fits(cell, parameter, digits) && !fits(cell, parameter, digits.toUpperCase()),
  )

/** Returns the value in uppercase. */
const inUppercase = (value: Json | undefined): string => {
  if (typeof value !== 'string' || !isIdentifier(value))
    throw new NotApplicable('a valid call has no such ID')
  if (value === value.toUpperCase()) throw new NotApplicable('the ID has no letters')
  return value.toUpperCase()
}

/** Returns the locations of all IDs in a body, as JSON Pointers. */
const identifiersIn = (body: Json | undefined, at = ''): string[] => {
  if (typeof body === 'string') return isIdentifier(body) ? [at] : []
  if (isArray(body)) return body.flatMap((item, index) => identifiersIn(item, `${at}/${index}`))
  if (!isObject(body)) return []
  return Object.entries(body).flatMap(([name, field]) => identifiersIn(field, `${at}/${escapeToken(name)}`))
}

const withUppercase = (body: Json, at: string): Json =>
  withValue(body, at.split('/').slice(1), inUppercase(valueAt(body, at)))

/** Returns the locations of the IDs in the documented body whose schema doesn't allow uppercase. */
const identifiersInBody = (cell: Cell): string[] => {
  const [example] = cell.definition.body?.examples ?? []
  return identifiersIn(example).filter((at) => {
    const hasLetters = /[a-f]/.test(String(valueAt(example ?? null, at)))
    return hasLetters && schemaErrorOf(cell, withUppercase(example ?? null, at)) !== undefined
  })
}

const refuse = async (
  trial: Trial,
  changes: CallChanges,
  where: string,
  strength: ReturnType<typeof strengthOf>,
): Promise<void> =>
  expectRefusal(await trial.try(changes), 'VALIDATION_ERROR', `${where} has uppercase letters`, strength)

/** Sends each ID in the path in uppercase. */
export const uppercaseInPath = forEach(
  identifiersInPath,
  ({ name }) => `${name} in uppercase`,
  async (trial, parameter) => {
    const { name } = parameter
    const value = inUppercase((await trial.good()).parameters[name])
    await refuse(trial, { parameters: { [name]: value } }, name, strengthOf(trial.cell, parameter, value))
  },
  { at: both(onApi, (cell) => identifiersInPath(cell).length > 0 || 'no ID in the path') },
)

/** Sends each ID in the body in uppercase. */
export const uppercaseInBody = forEach(
  identifiersInBody,
  (at) => `${at} in uppercase`,
  async (trial, at) => {
    const body = withUppercase((await trial.good()).body ?? null, at)
    await refuse(trial, { body }, at, schemaErrorOf(trial.cell, body)?.strength)
  },
  { at: both(onApi, withBody, (cell) => identifiersInBody(cell).length > 0 || 'no ID in the body') },
)
