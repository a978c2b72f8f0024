import { limits } from '@svc-admin/types'
import { always, forEach, ownResourceRule, rules, timed } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { inspect, numberAt, stringAt } from '../../document/json.ts'
import { expectError, expectSuccess, expectThat } from '../../model/expect.ts'
import { pass } from '../../resources/backups.ts'
import {
  begin,
  destination,
  migrationBody,
  ownMigration,
  readJob,
  ready,
} from '../../resources/migrations.ts'
import { type OwnCluster, sendRequest, targetsProject, unusedId } from '../../resources/own-resources.ts'
import {
  expectField,
  expectFields,
  expectOneOf,
  expectState,
  expectText,
  fieldOf,
  type SuccessfulResponse,
  secondsIn,
  successfulResponse,
} from '../../resources/successful-response.ts'

const catchUp = limits.liveMigrationReady.seconds
const retry = limits.liveMigrationExpiry.seconds

const look = (trial: Trial, place: OwnCluster): Promise<SuccessfulResponse> =>
  readJob(trial, 'migration', place)

/** Expects the migration to be ready for cutover if and only if its lag is zero. */
const expectReadiness = ({ exchange, body }: SuccessfulResponse): void => {
  const [lag, readiness] = [numberAt(body, 'lagTimeSeconds'), fieldOf(body, 'readyForCutover')]
  expectThat(readiness === (lag === 0), {
    expected: `readyForCutover ${lag === 0} at a lag of ${inspect(lag)}`,
    actual: inspect(readiness),
    exchange,
  })
}

const lagOf = ({ exchange, body }: SuccessfulResponse): number => {
  const lag = numberAt(body, 'lagTimeSeconds')
  expectThat(lag !== undefined, { expected: 'lagTimeSeconds', actual: 'none', exchange })
  return lag
}

const ended = ['COMPLETE', 'FAILED', 'EXPIRED'] as const

export default rules({
  'createMigration.answers-with-migration': always(async (trial) => {
    const place = await destination(trial.context)
    const made = successfulResponse(await sendRequest(trial, place, { body: migrationBody(place) }))
    expectFields(made, '_id', 'status', 'readyForCutover')
    const parameters = { liveMigrationId: stringAt(made.body, '_id') ?? '' }
    const again = successfulResponse(await sendRequest(trial, place, { parameters }, 'getMigration'))
    expectField(again, '_id', parameters.liveMigrationId)
  }),

  'createMigration.hosts-returned': always(async (trial) => {
    const place = await destination(trial.context)
    const migrationHosts = [`mover-${trial.random.hex(6)}.contract.example`]
    const made = successfulResponse(
      await sendRequest(trial, place, { body: migrationBody(place, { migrationHosts }) }),
    )
    expectField(made, 'migrationHosts', migrationHosts)
    const parameters = { liveMigrationId: stringAt(made.body, '_id') ?? '' }
    const again = successfulResponse(await sendRequest(trial, place, { parameters }, 'getMigration'))
    expectField(again, 'migrationHosts', migrationHosts)
  }),

  'createMigration.new-first': always(async (trial) => {
    const place = await destination(trial.context)
    const made = successfulResponse(await sendRequest(trial, place, { body: migrationBody(place) }))
    expectOneOf(made, 'status', ['NEW', 'WORKING'])
    expectField(made, 'readyForCutover', false)
  }),

  'createMigration.validation-not-enforced': always(async (trial) => {
    const place = await destination(trial.context)
    const body = migrationBody(place)
    expectSuccess(
      await sendRequest(trial, place, { body }),
      'a success for a migration that was not validated',
    )
  }),

  'getMigration.answers-with-migration': ownResourceRule(async (trial) => {
    const place = await ownMigration(trial.context, {
      ...ready,
      migrationHosts: ['mover-07.contract.example'],
    })
    const seen = successfulResponse(await sendRequest(trial, place))
    expectField(seen, '_id', place.id)
    expectField(seen, 'migrationHosts', ['mover-07.contract.example'])
    expectState(seen, 'live-migration', 'WORKING')
    expectField(seen, 'readyForCutover', true)
  }),

  'getMigration.unknown': always(async (trial) => {
    const exchange = await sendRequest(trial, targetsProject(trial), {
      parameters: { liveMigrationId: unusedId() },
    })
    expectError(exchange, 'RESOURCE_NOT_FOUND', 'the project has no migration with this ID')
  }),

  'getMigration.working': timed(async (trial) => {
    const { place } = await begin(trial, 'migration')
    await pass(trial, secondsIn('live-migration', 'NEW'))
    expectField(await look(trial, place), 'status', 'WORKING')
  }),

  'getMigration.lag-falls': timed(async (trial) => {
    const { place } = await begin(trial, 'migration')
    await pass(trial, secondsIn('live-migration', 'NEW'))
    const first = lagOf(await look(trial, place))
    await pass(trial, catchUp / 2)
    const later = await look(trial, place)
    expectThat(lagOf(later) < first, {
      expected: `a lag below ${first}`,
      actual: `${lagOf(later)}`,
      exchange: later.exchange,
    })
    await pass(trial, catchUp)
    expectField(await look(trial, place), 'lagTimeSeconds', 0)
  }),

  'getMigration.ready-when-caught-up': timed(async (trial) => {
    const { place } = await begin(trial, 'migration')
    expectField(await look(trial, place), 'readyForCutover', false)
    await pass(trial, secondsIn('live-migration', 'NEW'))
    expectReadiness(await look(trial, place))
    await pass(trial, catchUp - 10)
    expectReadiness(await look(trial, place))
    await pass(trial, 20)
    const seen = await look(trial, place)
    expectReadiness(seen)
    expectField(seen, 'readyForCutover', true)
  }),

  'getMigration.unknown-destination-fails': timed(async (trial) => {
    const { place } = await begin(trial, 'migration', { clusterName: 'no-such-cluster' })
    await pass(trial, secondsIn('live-migration', 'NEW'))
    const seen = await look(trial, place)
    expectField(seen, 'status', 'FAILED')
    expectField(seen, 'readyForCutover', false)
  }),

  'getMigration.expires': timed(async (trial) => {
    const place = await ownMigration(trial.context, ready)
    await pass(trial, retry - catchUp)
    expectField(await look(trial, place), 'status', 'WORKING')
    await pass(trial, 2 * catchUp)
    const seen = await look(trial, place)
    expectField(seen, 'status', 'EXPIRED')
    expectField(seen, 'readyForCutover', false)
  }),

  'getMigration.status-open': ownResourceRule(async (trial) =>
    expectText(
      successfulResponse(await sendRequest(trial, await ownMigration(trial.context, ready))),
      'status',
    ),
  ),

  'cutoverMigration.completes': always(async (trial) => {
    const place = await ownMigration(trial.context, ready)
    expectSuccess(await sendRequest(trial, place))
    const seen = await look(trial, place)
    expectThat(fieldOf(seen.body, 'status') !== 'WORKING', {
      expected: 'a status other than WORKING',
      actual: 'WORKING',
      exchange: seen.exchange,
    })
    expectField(seen, 'readyForCutover', false, 'decided')
  }),

  'cutoverMigration.complete-status': always(async (trial) => {
    const place = await ownMigration(trial.context, ready)
    expectSuccess(await sendRequest(trial, place))
    expectField(await look(trial, place), 'status', 'COMPLETE')
  }),

  'cutoverMigration.before-ready-refused': forEach(
    () => [
      { status: 'NEW', readyForCutover: false },
      { status: 'WORKING', lagTimeSeconds: catchUp - 10, readyForCutover: false },
    ],
    ({ status }) => status,
    async (trial, fields) => {
      const place = await ownMigration(trial.context, fields)
      expectError(
        await sendRequest(trial, place),
        'INVALID_STATE',
        `the migration is ${fields.status} and not ready`,
      )
      expectOneOf(await look(trial, place), 'status', ['NEW', 'WORKING'])
    },
  ),

  'cutoverMigration.ended-refused': forEach(
    () => ended,
    (status) => status,
    async (trial, status) => {
      const place = await ownMigration(trial.context, { status, readyForCutover: false })
      expectError(await sendRequest(trial, place), 'INVALID_STATE', `the migration is ${status}`)
      expectField(await look(trial, place), 'status', status)
    },
  ),

  'cutoverMigration.unknown': always(
    async (trial) => {
      const exchange = await sendRequest(trial, targetsProject(trial), {
        parameters: { liveMigrationId: unusedId() },
      })
      expectError(exchange, 'RESOURCE_NOT_FOUND', 'the project has no migration with this ID')
    },
    { phase: 'read' },
  ),
})
