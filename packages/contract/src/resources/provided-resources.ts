import type { OperationId } from '@svc-admin/types'
import type { Trial } from '../check/trial.ts'
import { describeResponse } from '../model/expect.ts'
import { Untestable } from '../model/signals.ts'
import { isProvided } from '../run-context/settings.ts'
import { type OwnProject, ownCluster, ownProject, type ResourcePath, sendRequest } from './own-resources.ts'

// If the kit can't seed resources, some checks use the project and clusters in the target file. They use resources that
// the kit can create and delete through the API, and settings that it can read and later restore.

/** The project or cluster in the operation's valid call. */
const providedPath = async (trial: Trial): Promise<ResourcePath> => {
  const { parameters } = await trial.good()
  return { parameters, as: 'any allowed caller' }
}

/**
 * A project for resources that the API can create and delete. It is seeded if possible. Otherwise, the provided
 * project is used.
 */
export const someProject = async ({ context }: Trial): Promise<ResourcePath> => {
  if (context.prerequisites.canSeed) return ownProject(context)
  const { groupId } = context.target.things
  if (groupId === undefined) throw new Untestable('a project')
  return { parameters: { groupId }, as: 'any allowed caller' }
}

/** Returns the provided path if its setting can be read, and can therefore be restored. */
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
 * A project whose setting the check can change. It is seeded if possible. Otherwise, the provided project is used,
 * and its setting is restored at the end.
 */
export const projectOfSetting = async (
  trial: Trial,
  read: OperationId,
  make: (trial: Trial) => Promise<OwnProject> = ({ context }) => ownProject(context),
): Promise<ResourcePath> => (trial.context.prerequisites.canSeed ? make(trial) : providedSetting(trial, read))

/** A cluster whose setting the check can change, either seeded or provided. */
export const clusterOfSetting = (trial: Trial, read: OperationId): Promise<ResourcePath> =>
  projectOfSetting(trial, read, ({ context }) => ownCluster(context))
