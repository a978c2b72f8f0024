import type { Trial } from '../check/trial.ts'
import { bodyWith, type FieldGroup, fieldGroupsOf, fieldSets } from '../document/field-sets.ts'
import type { Json } from '../document/json.ts'
import { bodyOnTarget } from '../given/given.ts'
import { type Cell, ignoredFieldsOf } from '../model/api.ts'
import { NotApplicable } from '../model/signals.ts'

/**
 * In the bodies of these operations, one field determines which other fields are allowed. Other checks test these
 * operations.
 */
const dependent: ReadonlySet<string> = new Set([
  'acknowledgeAlert',
  'createRestoreJob',
  'createServerlessRestoreJob',
])

/** It's our decision that clients can omit these fields, so all bodies in these checks contain them. */
const decidedOptional: ReadonlySet<string> = new Set(['migrationHosts', 'retentionInDays'])

const known = new WeakMap<Cell['definition'], readonly FieldGroup[]>()

/** Returns the independent optional fields of the operation's body, and of the objects in it. */
export const groupsOf = (cell: Cell): readonly FieldGroup[] => {
  const { definition, version, operation } = cell
  const before = known.get(definition)
  if (before) return before
  const { body } = definition
  const ignored = new Set([...ignoredFieldsOf(cell), ...decidedOptional])
  const groups =
    body === undefined || dependent.has(operation.id)
      ? []
      : fieldGroupsOf(version.document, version.validator, body.schema, body.examples, (name) =>
          ignored.has(name),
        )
  known.set(definition, groups)
  return groups
}

export const hasOptionalField = (cell: Cell): true | string =>
  groupsOf(cell).some(({ isOuter }) => isOuter) || 'no independent optional field'

/** Returns a body with a value for every optional field. */
export const fullBodyOf = ({ cell, context }: Trial): Json => {
  const group = groupsOf(cell).find(({ isOuter }) => isOuter)
  const all = group && fieldSets(group).at(-1)
  if (group === undefined || all === undefined) throw new NotApplicable('no independent optional field')
  return bodyOnTarget(context, cell, bodyWith(group, all))
}
