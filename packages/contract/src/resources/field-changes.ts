import { both, onApi, onChange, onCreate, timed, withBody, withContent } from '../check/rule.ts'
import type { Trial } from '../check/trial.ts'
import { changedBodies } from '../document/changed-values.ts'
import { bodyWith, type FieldGroup, type OptionalField } from '../document/field-sets.ts'
import { type Json, sameJson } from '../document/json.ts'
import { bodyOnTarget } from '../given/given.ts'
import { isSuccess } from '../model/expect.ts'
import { NotApplicable } from '../model/signals.ts'
import type { Attempt } from './change-attempts.ts'
import { changeablePath, type PathParameters } from './changeable.ts'
import { groupsOf, hasOptionalField } from './optional-fields.ts'
import { expectShownIn } from './shown-changes.ts'
import { fieldOf } from './successful-response.ts'
import { viewsOf } from './views.ts'

/**
 * This rule changes each field of a resource. A server calculates some fields of a response from others, such as the
 * time of the next snapshot, and might calculate them before it applies the change. Only changes of certain fields show
 * this fault.
 */

/** The maximum number of other values to try for a field. */
const maxOthers = 3

/** Returns valid bodies in which the field has another value. */
const bodiesWithOther = ({ cell }: Trial, body: Json, { name }: OptionalField): Json[] => {
  const { definition, version } = cell
  if (definition.body === undefined) return []
  return changedBodies(version.validator, definition.body.schema, body)
    .filter((other) => !sameJson(fieldOf(other, name) ?? null, fieldOf(body, name) ?? null))
    .slice(0, maxOthers)
}

interface FieldChange {
  readonly group: FieldGroup
  readonly field: OptionalField
  readonly parameters: PathParameters
}

/** Returns the body that gives the field its value. Other methods than PATCH replace all fields. */
const bodyFor = ({ context, cell }: Trial, { group, field }: FieldChange): Json => {
  const set = cell.operation.method === 'PATCH' ? [field] : group.fields
  return bodyOnTarget(context, cell, bodyWith(group, set))
}

/** Gives the field another value, and then returns the request that changes it back. */
const changeBack = async (trial: Trial, change: FieldChange): Promise<Attempt | undefined> => {
  const { parameters } = change
  const body = bodyFor(trial, change)
  for (const other of bodiesWithOther(trial, body, change.field)) {
    if (!isSuccess(await trial.try({ parameters, body: other }))) continue
    return {
      call: await trial.call({ parameters, body }),
      parameters,
      body,
      onRefusal: (response) => new NotApplicable(`the field can't be changed back (${response})`),
    }
  }
  return undefined
}

/** Gives all fields a value. A target may reject some of them. */
const fill = async (trial: Trial, group: FieldGroup, parameters: PathParameters): Promise<void> => {
  const sent = group.fields.map((field) => bodyFor(trial, { group, field, parameters }))
  for (const body of new Set(sent.map((one) => JSON.stringify(one))))
    await trial.try({ parameters, rawBody: body })
}

/** Changes one field at a time, and compares the response with reads. */
export const eachFieldShown = timed(
  async (trial) => {
    const group = groupsOf(trial.cell).find(({ isOuter }) => isOuter)
    const views = viewsOf(trial).filter(({ lists }) => lists.length === 0)
    if (group === undefined || views.length === 0) throw new NotApplicable('no operation reads the resource')
    const parameters = await changeablePath(trial)
    await fill(trial, group, parameters)
    for (const field of group.fields) {
      const attempt = await changeBack(trial, { group, field, parameters })
      if (attempt === undefined) continue
      await expectShownIn(trial, views, async () => attempt).catch((error: unknown) => {
        // The other fields can still be changed.
        if (!(error instanceof NotApplicable)) throw error
      })
    }
  },
  {
    at: both(
      onApi,
      onChange,
      (cell) => onCreate(cell) !== true || 'the operation creates a resource',
      withBody,
      withContent,
      hasOptionalField,
    ),
    label: 'each field',
  },
)
