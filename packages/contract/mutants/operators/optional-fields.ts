/**
 * These mutants introduce bugs into optional fields of a body. The bugs are visible only if a body combines two of
 * these fields.
 */
import { type FieldGroup, fieldGroupsOf, type OptionalField } from '../../src/document/field-sets.ts'
import { isObject, type Json, parseJson, valueAt, withValue } from '../../src/document/json.ts'
import { type Cell, ignoredFieldsOf } from '../../src/model/api.ts'
import { type MutantInput, perCell } from '../mutant.ts'

/** Operations where the value of one field determines which other fields a body can contain. */
const dependent: readonly string[] = ['acknowledgeAlert', 'createRestoreJob', 'createServerlessRestoreJob']

const outerGroup = (cell: Cell): FieldGroup | undefined => {
  const { definition, version, operation } = cell
  if (definition.body === undefined || dependent.includes(operation.id)) return undefined
  const ignored = ignoredFieldsOf(cell)
  const { schema, examples } = definition.body
  const groups = fieldGroupsOf(version.document, version.validator, schema, examples, (name) =>
    ignored.includes(name),
  )
  return groups.find(({ isOuter }) => isOuter)
}

const has = (body: Json, { path }: OptionalField): boolean =>
  valueAt(body, path.map((name) => `/${name}`).join('')) !== undefined

/** Changes a request, but only if its body contains the given field. */
const changed =
  (other: OptionalField, change: (body: Json) => Json): MutantInput['make'] =>
  () =>
  (request, forward) => {
    const body = parseJson(request.body ?? '')
    return forward(
      isObject(body) && has(body, other) ? { ...request, body: JSON.stringify(change(body)) } : request,
    )
  }

/**
 * Returns whether a successful response contains the field. If the response doesn't contain the field, clients can't
 * notice the bug.
 */
const isVisible = ({ definition, row, version }: Cell, { name }: OptionalField): boolean => {
  const place = definition.responses.get(row.success)?.content.get(row.mediaType)
  return (
    place !== undefined &&
    version.document.follow(`${place.pointer}/properties/${name}`).pointer !== '' &&
    valueAt(version.document.root, `${place.pointer}/properties/${name}`) !== undefined
  )
}

const pairsIn = (cell: Cell): MutantInput[] => {
  const fields = outerGroup(cell)?.fields ?? []
  const hints = ['bodies.optional-fields-apart'] as const
  return fields
    .filter((field) => isVisible(cell, field))
    .flatMap((field) =>
      fields
        .filter((other) => other !== field)
        .flatMap((other): MutantInput[] => [
          {
            what: `${field.name} dropped with ${other.name}`,
            hints,
            make: changed(other, (body) => withValue(body, field.path, undefined)),
          },
          {
            what: `${field.name} set by ${other.name}`,
            hints,
            make: changed(other, (body) =>
              has(body, field) ? body : withValue(body, field.path, field.values[0]),
            ),
          },
        ]),
    )
}

const isFlag = ({ values: [value] }: OptionalField): boolean => typeof value === 'boolean'

/** Makes one flag in a body overwrite the value of another flag. */
const copiedFlags = (cell: Cell): MutantInput[] => {
  const flags = (outerGroup(cell)?.fields ?? []).filter((field) => isFlag(field) && isVisible(cell, field))
  return flags.flatMap((flag) =>
    flags
      .filter((other) => other !== flag)
      .map((other) => ({
        what: `${flag.name} copied from ${other.name}`,
        hints: ['bodies.optional-fields-apart' as const],
        make: changed(other, (body) =>
          has(body, flag) ? withValue(body, flag.path, valueAt(body, `/${other.path.join('/')}`)) : body,
        ),
      })),
  )
}

/** Makes a partial update reset a flag that the body doesn't contain. */
const resetFlags = (cell: Cell): MutantInput[] => {
  if (cell.operation.method !== 'PATCH') return []
  const flags = (outerGroup(cell)?.fields ?? []).filter((field) => isFlag(field) && isVisible(cell, field))
  return flags.map((flag) => ({
    what: `${flag.name} reset`,
    hints: ['bodies.optional-fields-apart' as const],
    make: () => (request, forward) => {
      const body = parseJson(request.body ?? '')
      const isWithout = request.method === 'PATCH' && isObject(body) && !has(body, flag)
      return forward(
        isWithout ? { ...request, body: JSON.stringify(withValue(body, flag.path, false)) } : request,
      )
    },
  }))
}

export const optionalFields = perCell('optional fields', (cell) => [
  ...pairsIn(cell),
  ...copiedFlags(cell),
  ...resetFlags(cell),
])
