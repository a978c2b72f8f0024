import { limits } from '@svc-admin/types'
import { always, forEach, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import type { Exchange } from '../../http/exchange.ts'
import { describeResponse, expectError, expectRefusal, expectThat } from '../../model/expect.ts'
import { ownCluster, sendRequest, targetsProject, unusedName } from '../../resources/own-resources.ts'
import { seedIndex, seedNodes } from '../../resources/search.ts'

const { minimum } = limits.searchDatabaseVersion

/** Versions must be compared part by part, not as numbers or strings. */
const tooOld = ['4.0.28', '4.1.9', '3.6.23'] as const
const recent = [`${minimum}.0`, '4.10.1', '10.0.3'] as const

/** Sends the request to a cluster of a version. The resource must exist, because it is looked up first. */
const onVersion = async (trial: Trial, databaseVersion: string): Promise<Exchange> => {
  const { context, cell } = trial
  const place = await ownCluster(context, { databaseVersion })
  const { id, pathParameters } = cell.operation
  if (pathParameters.some((name) => name.startsWith('index')))
    return sendRequest(trial, await seedIndex(context, place))
  if (id === 'updateSearchNodes') await seedNodes(context, place)
  return sendRequest(trial, place)
}

const why = (version: string): string => `database version ${version} is below ${minimum}`

export default rules({
  /** Clusters of a database version below 4.2 have no Search. */
  'search.database-version': [
    forEach(
      () => tooOld,
      (version) => version,
      async (trial, version) =>
        expectRefusal(await onVersion(trial, version), 'TIER_NOT_SUPPORTED', why(version)),
      { phase: 'write' },
    ),
    forEach(
      () => recent,
      (version) => `not ${version}`,
      async (trial, version) => {
        const exchange = await onVersion(trial, version)
        expectThat(exchange.response.status !== 400, {
          expected: `no error for database version ${version}`,
          actual: describeResponse(exchange),
          exchange,
        })
      },
      { phase: 'write' },
    ),
  ],

  /** A cluster of a database version below 4.2 returns 400 TIER_NOT_SUPPORTED. */
  'search.database-version-code': always(
    async (trial) => {
      const [version] = tooOld
      expectError(await onVersion(trial, version), 'TIER_NOT_SUPPORTED', why(version))
    },
    { phase: 'write' },
  ),

  /** A cluster that the project does not have returns 404 RESOURCE_NOT_FOUND. */
  'search.unknown-cluster': always(
    async (trial) => {
      const exchange = await sendRequest(trial, targetsProject(trial), {
        parameters: { clusterName: unusedName() },
      })
      expectError(exchange, 'RESOURCE_NOT_FOUND', 'the project has no cluster with this name')
    },
    { phase: 'read' },
  ),
})
