import type { OperationId } from '@svc-admin/types'
import type { Trial } from '../check/trial.ts'
import { describeResponse } from '../model/expect.ts'
import { Untestable } from '../model/signals.ts'
import { isProvided } from '../run-context/settings.ts'
import { type OwnProject, ownCluster, ownProject, type ResourcePath, sendRequest } from './own-resources.ts'

/**
 * If the kit can't seed resources, some checks use the project and the clusters in the target file. These checks need
 * only resources that the API can create and delete, or settings that the kit can read and restore.
 */

/** Returns the project or cluster that a valid call to the operation uses. */
const providedPath = async (trial: Trial): Promise<ResourcePath> => {
  const { parameters } = await trial.good()
  return { parameters, as: 'any allowed caller' }
}

/**
 * Returns a project for resources that the API can create and delete. If seeding isn't possible, returns the
 * provided project.
 */
export const someProject = async ({ context }: Trial): Promise<ResourcePath> => {
  if (context.prerequisites.canSeed) return ownProject(context)
  const { groupId } = context.target.things
  if (groupId === undefined) throw new Untestable('a project')
  return { parameters: { groupId }, as: 'any allowed caller' }
}

/** Returns the provided path if the kit can read the setting, because it must restore the setting later. */
const providedSetting = async (trial: Trial, read: OperationId): Promise<ResourcePath> => {
  const place = await providedPath(trial)
  if (!isProvided(trial.context.target, place.parameters))
    throw new Untestable('a setting of a project or cluster in the target file')
  const exchange = await sendRequest(trial, place, {}, read)
  if (exchange.response.status >= 300)
    throw new Untestable(`a setting that can be read and restored (${describeResponse(exchange)})`)
  return place
}

/**
 * Returns a project in which the check can change a setting. If seeding isn't possible, returns the provided
 * project, and the kit restores the setting at the end of the run.
 */
export const projectOfSetting = async (
  trial: Trial,
  read: OperationId,
  make: (trial: Trial) => Promise<OwnProject> = ({ context }) => ownProject(context),
): Promise<ResourcePath> => (trial.context.prerequisites.canSeed ? make(trial) : providedSetting(trial, read))

/** Returns a cluster in which the check can change a setting, either seeded or provided. */
export const clusterOfSetting = (trial: Trial, read: OperationId): Promise<ResourcePath> =>
  projectOfSetting(trial, read, ({ context }) => ownCluster(context))
