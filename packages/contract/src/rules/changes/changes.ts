import {
  always,
  both,
  type Check,
  onApi,
  onChange,
  onCreate,
  rules,
  withBody,
  withContent,
} from '../../check/rule.ts'
import { NotApplicable } from '../../model/signals.ts'
import {
  type AttemptOf,
  changeCreated,
  changeGiven,
  changeTwice,
  createFull,
  ordered,
} from '../../resources/change-attempts.ts'
import { eachFieldShown } from '../../resources/field-changes.ts'
import { hasOptionalField } from '../../resources/optional-fields.ts'
import { readOnlyFieldsUnchanged } from '../../resources/read-only-changes.ts'
import { changedForever } from '../../resources/resource-state.ts'
import { changeOf, expectShownIn, fieldBreach } from '../../resources/shown-changes.ts'
import { lookAt, schemaOf, viewsOf } from '../../resources/views.ts'

const showsEverywhere =
  (attemptOf: AttemptOf): Check =>
  (trial) =>
    expectShownIn(trial, ordered(viewsOf(trial)), attemptOf)

/**
 * The number of seconds to wait. By then, most resources have reached their final state, and the credentials haven't
 * expired.
 */
const later = 60

/** Fields that a request has set keep their values in all states of the resource. */
const lasts = always(
  async (trial) => {
    const view = ordered(viewsOf(trial))[0]
    const schema = schemaOf(trial.cell)
    if (view === undefined || schema === undefined) throw new NotApplicable('no operation reads the resource')
    const change = await changeOf(trial, [], schema, await changeGiven(trial))
    await trial.context.prerequisites.advanceClock(later)
    const shown = await lookAt(trial, view, change.subject)
    if (shown === undefined) return
    const { compared, response } = change
    const lost = changedForever(compared, response, shown.resource, compared.sent)
    if (lost.length > 0)
      throw fieldBreach(
        change,
        lost,
        [`earlier response to ${trial.cell.operation.id}, ${later} seconds before`, response],
        shown,
      )
  },
  { at: both(onApi, onCreate, withContent), phase: 'alone', label: 'later' },
)

const onUpdate = both(onChange, (cell) => onCreate(cell) !== true || 'the operation creates a resource')

export default rules({
  'resources.change-shows': [
    always(showsEverywhere(changeGiven), { at: both(onApi, onChange), phase: 'alone' }),
    always(showsEverywhere(changeTwice), {
      at: both(onApi, onUpdate, withBody, withContent),
      phase: 'alone',
      label: 'second change',
    }),
    always(showsEverywhere(createFull), {
      at: both(onApi, onCreate, withBody, withContent, hasOptionalField),
      phase: 'alone',
      label: 'all optional fields',
    }),
    eachFieldShown,
    lasts,
    readOnlyFieldsUnchanged,
  ],

  'resources.created-change-shows': always(showsEverywhere(changeCreated), {
    at: both(onApi, onUpdate, withContent),
    phase: 'alone',
  }),
})
