import { operations } from '@svc-admin/types'
import { escapeToken, type JsonObject, objectAt } from '../document/json.ts'
import { joinNames, unknownName } from '../model/nearest.ts'
import { roleIds } from './role-ids.ts'

/** Returns the error in a name, or `undefined` if there is none. */
type Check = (name: string) => string | undefined

const among =
  (what: string, names: readonly string[], more = ''): Check =>
  (name) =>
    names.includes(name)
      ? undefined
      : unknownName(what, name, names, `there are ${joinNames(names, 'and')}${more}`)

const all = Object.values(operations)
const pathParameters = [...new Set(all.flatMap((one) => one.pathParameters))].sort()

const role = among('role', roleIds)
const operation = among(
  'operation',
  all.map(({ id }) => id),
)
const parameter = among(
  'path parameter',
  pathParameters,
  '; for a single operation, use a name such as getSnapshot.snapshotId',
)

/**
 * Accepts the name of a path parameter. If an operation ID precedes the name, the value applies only to that operation.
 */
const pathParameter: Check = (name) => {
  const [id, ...own] = name.split('.')
  return own.length === 0 ? parameter(name) : (operation(id ?? '') ?? parameter(own.join('.')))
}

const checks: Readonly<Record<string, Check>> = { roles: role, things: pathParameter, foreign: pathParameter }

/** Returns the names in a target file that aren't part of the API. The values of these names have no effect. */
export const strangeNames = (target: JsonObject): string[] =>
  Object.entries(checks).flatMap(([field, check]) =>
    Object.keys(objectAt(target, field)).flatMap((name) => {
      const fault = check(name)
      return fault === undefined ? [] : [`/${field}/${escapeToken(name)} is unknown: ${fault}`]
    }),
  )
