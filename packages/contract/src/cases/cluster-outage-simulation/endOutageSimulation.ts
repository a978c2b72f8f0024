import { states } from '@svc-admin/types'
import { always, forEach, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { inspect, isArray, isObject, type JsonObject } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import {
  bodyOf,
  expectError,
  expectRefusal,
  expectSuccess,
  expectThat,
  isRefusal,
  isSuccess,
} from '../../model/expect.ts'
import { NotApplicable } from '../../model/signals.ts'
import { needsRole } from '../../resources/needed-role.ts'
import {
  type OwnCluster,
  ownCluster,
  seedAt,
  sendRequest,
  targetsProject,
  unusedId,
  unusedName,
} from '../../resources/own-resources.ts'
import {
  expectOneOf,
  expectSeeded,
  expectText,
  expectTimestamp,
  fieldOf,
  secondsIn,
  successfulResponse,
} from '../../resources/successful-response.ts'

const start = '2025-11-18T06:00:00Z'
const filters = [{ cloudProvider: 'AWS', regionName: 'EU_NORTH_1', type: 'REGION' }] as const

/** Creates a simulation in the given state, in a new cluster. */
const simulated = async (
  { context }: Trial,
  state: string,
  differs: JsonObject = {},
): Promise<OwnCluster & { readonly id: string }> => {
  const place = await ownCluster(context)
  const { groupId, clusterName } = place
  const id = unusedId()
  await seedAt(context, 'outageSimulations', place, '/outageSimulation', {
    id,
    groupId,
    clusterName,
    outageFilters: filters,
    startRequestDate: start,
    state,
    ...differs,
  })
  return { ...place, id }
}

/** The states that a simulation passes through after a request to end it. */
const passing: readonly string[] = ['RECOVERY_REQUESTED', 'RECOVERING']

/**
 * The longest time that the checks wait for a state, in seconds. The specification doesn't say how long a state change
 * takes.
 */
const maxWait = 4 * 3600

/**
 * Tries to end the simulation again, waiting longer each time, until the response shows that the state has changed. No
 * operation returns a simulation's state.
 */
const endUntil = async (
  trial: Trial,
  place: OwnCluster,
  first: Exchange,
  isUnchanged: (exchange: Exchange) => boolean,
): Promise<Exchange> => {
  let exchange = first
  for (let wait = 60; wait <= maxWait && isUnchanged(exchange); wait *= 2) {
    await trial.context.prerequisites.advanceClock(wait)
    exchange = await sendRequest(trial, place)
  }
  return exchange
}

const afterTheEnd = ['RECOVERY_REQUESTED', 'RECOVERING', 'COMPLETE'] as const

export default rules({
  'endOutageSimulation.answers-with-outage-simulation': always(async (trial) => {
    const { groupId, clusterName, id, ...place } = await simulated(trial, 'SIMULATING')
    const ended = successfulResponse(await sendRequest(trial, place))
    expectSeeded(trial.cell, ended, { groupId, clusterName, id, outageFilters: filters })
    expectText(ended, 'startRequestDate')
    expectTimestamp(ended, 'startRequestDate', start)
    expectText(ended, 'state')
  }),

  'endOutageSimulation.ends': [
    always(async (trial) => {
      const place = await simulated(trial, 'SIMULATING')
      const { exchange, body } = successfulResponse(await sendRequest(trial, place))
      expectThat(fieldOf(body, 'state') !== 'SIMULATING', {
        expected: 'a state other than SIMULATING',
        actual: 'SIMULATING',
        exchange,
      })
      expectRefusal(
        await sendRequest(trial, place),
        'INVALID_STATE',
        'the simulation is no longer running',
        'decided',
      )
    }),
    always(
      async (trial) => {
        const place = await ownCluster(trial.context)
        const { groupId, clusterName } = place
        const { prerequisites } = trial.context
        await prerequisites.arrange('outage-simulations', { groupId, clusterName, outageFilters: filters })
        await prerequisites.advanceClock(secondsIn('outage-simulation', 'START_REQUESTED', 'STARTING'))
        const first = await sendRequest(trial, place)
        const isStarting = ({ response }: Exchange): boolean => isRefusal(response)
        const why = 'a success for ending a running simulation'
        const ended = successfulResponse(await endUntil(trial, place, first, isStarting), why)
        expectSeeded(trial.cell, ended, { outageFilters: filters })
        // The time that a simulation takes to start is our decision.
        expectSuccess(first, why, 'decided')
      },
      { label: 'after it has started', phase: 'alone' },
    ),
    // A server that doesn't store the simulation's state would end the same simulation repeatedly.
    always(
      async (trial) => {
        const place = await simulated(trial, 'SIMULATING')
        const state = fieldOf(successfulResponse(await sendRequest(trial, place)).body, 'state')
        if (!passing.some((one) => one === state)) throw new NotApplicable('the simulation ends immediately')
        const { advanceClock } = trial.context.prerequisites
        await advanceClock(secondsIn('outage-simulation', 'RECOVERY_REQUESTED', 'RECOVERING'))
        const isEndedAgain = (exchange: Exchange): boolean =>
          isSuccess(exchange) && fieldOf(bodyOf(exchange), 'state') === state
        const exchange = await endUntil(trial, place, await sendRequest(trial, place), isEndedAgain)
        expectThat(!isEndedAgain(exchange), {
          expected: `an error or a later state than ${state}, because the simulation ended before`,
          actual: `a success with the state ${state} again`,
          exchange,
        })
      },
      { label: 'permanently', phase: 'alone' },
    ),
  ],

  'endOutageSimulation.recovery-requested': always(async (trial) =>
    expectOneOf(
      successfulResponse(await sendRequest(trial, await simulated(trial, 'SIMULATING'))),
      'state',
      afterTheEnd,
    ),
  ),

  'endOutageSimulation.not-running-refused': forEach(
    () => states['outage-simulation'].values.filter((state) => state !== 'SIMULATING'),
    (state) => state,
    async (trial, state) => {
      const exchange = await sendRequest(trial, await simulated(trial, state))
      expectError(exchange, 'INVALID_STATE', `the simulation is ${state}`)
    },
  ),

  'endOutageSimulation.starting-refused': always(async (trial) => {
    const place = await ownCluster(trial.context)
    const { groupId, clusterName } = place
    await trial.context.prerequisites.arrange('outage-simulations', {
      groupId,
      clusterName,
      outageFilters: filters,
    })
    expectError(await sendRequest(trial, place), 'INVALID_STATE', 'the simulation is still being started')
  }),

  'endOutageSimulation.twice-refused': [
    always(async (trial) => {
      const place = await simulated(trial, 'SIMULATING')
      successfulResponse(await sendRequest(trial, place))
      expectError(await sendRequest(trial, place), 'INVALID_STATE', 'the simulation was already ended')
    }),
    always(
      async (trial) => {
        const place = await simulated(trial, 'SIMULATING')
        successfulResponse(await sendRequest(trial, place))
        for (const state of ['RECOVERY_REQUESTED', 'RECOVERING'] as const) {
          await trial.context.prerequisites.advanceClock(secondsIn('outage-simulation', state))
          expectError(
            await sendRequest(trial, place),
            'INVALID_STATE',
            'the simulation was ended a while ago',
          )
        }
      },
      { label: 'later', phase: 'alone' },
    ),
  ],

  'endOutageSimulation.none': always(async (trial) => {
    const exchange = await sendRequest(trial, await ownCluster(trial.context))
    expectError(exchange, 'RESOURCE_NOT_FOUND', 'the cluster never had a simulation')
  }),

  'endOutageSimulation.unknown-cluster': always(
    async (trial) => {
      const exchange = await sendRequest(trial, targetsProject(trial), {
        parameters: { clusterName: unusedName() },
      })
      expectError(exchange, 'RESOURCE_NOT_FOUND', 'the project has no cluster with this name')
    },
    { phase: 'read' },
  ),

  'endOutageSimulation.filters-open': always(async (trial) => {
    const outageFilters = [{ ...filters[0], somethingElse: { inner: 1 } }, { type: 'SOMETHING_ELSE' }]
    const { exchange, body } = successfulResponse(
      await sendRequest(trial, await simulated(trial, 'SIMULATING', { outageFilters })),
    )
    const seen = fieldOf(body, 'outageFilters')
    expectThat(isArray(seen) && seen.length === outageFilters.length && seen.every(isObject), {
      expected: 'both filters, with any fields',
      actual: inspect(seen),
      exchange,
    })
  }),

  'endOutageSimulation.state-open': always(async (trial) =>
    expectText(successfulResponse(await sendRequest(trial, await simulated(trial, 'SIMULATING'))), 'state'),
  ),

  'endOutageSimulation.role': needsRole('PROJECT_OWNER', 'PROJECT_SVC_ADMIN'),
})
