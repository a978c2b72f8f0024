import { limits } from '@svc-admin/types'
import { always, forEach, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import type { Exchange } from '../../http/exchange.ts'
import { describeResponse, expectError, expectRefusal, expectThat } from '../../model/expect.ts'
import { ownCluster, sendRequest, targetsProject, unusedName } from '../../resources/own-resources.ts'
import { seedIndex, seedNodes } from '../../resources/search.ts'

const { minimum } = limits.searchDatabaseVersion

/**
 * Comparing these versions as numbers or strings would give the wrong result. Servers must compare each part of a
 * version separately.
 */
const tooOld = ['4.0.28', '4.1.9', '3.6.23'] as const
const recent = [`${minimum}.0`, '4.10.1', '10.0.3'] as const

/**
 * Sends the request for a cluster with the given database version. If the request needs an index or nodes, creates them
 * first, because the server looks them up before it checks the version.
 */
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
      (version) => `supported version ${version}`,
      async (trial, version) => {
        const exchange = await onVersion(trial, version)
        expectThat(exchange.response.status !== 400, {
          expected: `a status other than 400, because Search supports database version ${version}`,
          actual: describeResponse(exchange),
          exchange,
          headline: `Search is available on clusters with database version ${minimum} or later`,
        })
      },
      { phase: 'write' },
    ),
  ],

  'search.database-version-code': always(
    async (trial) => {
      const [version] = tooOld
      expectError(await onVersion(trial, version), 'TIER_NOT_SUPPORTED', why(version))
    },
    { phase: 'write' },
  ),

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
