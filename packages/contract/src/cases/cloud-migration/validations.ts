import { always, ownResourceRule, rules, timed } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { stringAt } from '../../document/json.ts'
import { expectError, expectRefusal } from '../../model/expect.ts'
import { begin, destination, migrationBody, ownValidation, readJob } from '../../resources/migrations.ts'
import { type OwnCluster, sendRequest, targetsProject, unusedId } from '../../resources/own-resources.ts'
import {
  expectField,
  expectFields,
  expectOneOf,
  expectState,
  expectText,
  type SuccessfulResponse,
  secondsIn,
  successfulResponse,
} from '../../resources/successful-response.ts'

const look = (trial: Trial, place: OwnCluster): Promise<SuccessfulResponse> =>
  readJob(trial, 'validation', place)

/** Runs a validation to completion and returns the validation job. */
const outcome = async (trial: Trial, to: Partial<OwnCluster> = {}): Promise<SuccessfulResponse> => {
  const { place } = await begin(trial, 'validation', to)
  await trial.context.prerequisites.advanceClock(secondsIn('migration-validation', 'PENDING'))
  return look(trial, place)
}

export default rules({
  'validateMigration.answers-with-validation': always(async (trial) => {
    const { place, made } = await begin(trial, 'validation')
    expectFields(made, '_id', 'status')
    expectField(made, 'groupId', place.groupId)
    const again = await look(trial, place)
    expectField(again, '_id', stringAt(made.body, '_id'))
    expectField(again, 'groupId', place.groupId)
  }),

  'validateMigration.pending-first': always(async (trial) => {
    const { made } = await begin(trial, 'validation')
    expectOneOf(made, 'status', ['PENDING', 'SUCCESS'])
    expectField(made, 'errorMessage', undefined)
  }),

  'validateMigration.source-group': always(async (trial) => {
    const place = await destination(trial.context)
    const groupId = unusedId()
    const body = migrationBody(place, { source: { clusterName: 'self-managed', groupId } })
    expectField(successfulResponse(await sendRequest(trial, place, { body })), 'sourceGroupId', groupId)
  }),

  /** A validation doesn't start a migration, so requests for a migration with its ID return 404. */
  'validateMigration.migrates-nothing': always(async (trial) => {
    const { place, made } = await begin(trial, 'validation')
    const parameters = { liveMigrationId: stringAt(made.body, '_id') ?? '' }
    const exchange = await sendRequest(trial, place, { parameters }, 'getMigration')
    expectRefusal(exchange, 'RESOURCE_NOT_FOUND', 'a validation job is not a migration')
  }),

  'getMigrationValidation.answers-with-validation': ownResourceRule(async (trial) => {
    const sourceGroupId = unusedId()
    const place = await ownValidation(trial.context, { status: 'SUCCESS', sourceGroupId })
    const seen = successfulResponse(await sendRequest(trial, place))
    expectField(seen, '_id', place.id)
    expectField(seen, 'groupId', place.groupId)
    expectField(seen, 'sourceGroupId', sourceGroupId)
    expectState(seen, 'migration-validation', 'SUCCESS')
  }),

  'getMigrationValidation.success': timed(async (trial) => {
    const seen = await outcome(trial)
    expectField(seen, 'status', 'SUCCESS')
    expectField(seen, 'errorMessage', undefined)
  }),

  'getMigrationValidation.failed-has-message': ownResourceRule(async (trial) => {
    const { groupId, id, ...place } = await ownValidation(trial.context, { status: 'PENDING' })
    const found = { groupId, validationId: id, errorMessage: 'The source cannot be reached.' }
    await trial.context.prerequisites.arrange('migration-validations/fail', found)
    const seen = successfulResponse(await sendRequest(trial, place))
    expectField(seen, 'status', 'FAILED')
    expectText(seen, 'errorMessage')
  }),

  'getMigrationValidation.unknown-destination-fails': timed(async (trial) => {
    const seen = await outcome(trial, { clusterName: 'no-such-cluster' })
    expectField(seen, 'status', 'FAILED')
    expectText(seen, 'errorMessage')
  }),

  'getMigrationValidation.unknown': always(async (trial) => {
    const exchange = await sendRequest(trial, targetsProject(trial), {
      parameters: { validationId: unusedId() },
    })
    expectError(exchange, 'RESOURCE_NOT_FOUND', 'the project has no validation job with this ID')
  }),

  'getMigrationValidation.status-open': ownResourceRule(async (trial) =>
    expectText(
      successfulResponse(await sendRequest(trial, await ownValidation(trial.context, { status: 'SUCCESS' }))),
      'status',
    ),
  ),
})
