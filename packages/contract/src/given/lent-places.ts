import type { OperationId } from '@svc-admin/types'
import { tellResponse } from '../engine/expect.ts'
import { Untestable } from '../engine/signals.ts'
import type { Trial } from '../engine/trial.ts'
import { isLent } from '../world/settings.ts'
import { ask, type OwnPlace, ownCluster, ownProject, type Place } from './own-places.ts'

// Where nothing can be put in place, the target lends what its file names: for what the kit makes and removes by the
// API, and for settings that can be read before they are changed, and so be put back.

/** The project or cluster of a good call of the cell. */
const lentPlace = async (trial: Trial): Promise<Place> => {
  const { parameters } = await trial.good()
  return { parameters, as: 'whoever may' }
}

/** A project for things that the API makes and removes: one of its own, or else the one that is lent. */
export const someProject = async ({ world }: Trial): Promise<Place> => {
  if (world.prerequisites.canSeed) return ownProject(world)
  const { groupId } = world.target.things
  if (groupId === undefined) throw new Untestable('a project')
  return { parameters: { groupId }, as: 'whoever may' }
}

/** The place that is lent, if its setting can be read: what cannot be, cannot be put back. */
const lentSetting = async (trial: Trial, read: OperationId): Promise<Place> => {
  const place = await lentPlace(trial)
  if (!isLent(trial.world.target, place.parameters))
    throw new Untestable('a setting of a project or cluster that the target file names')
  const exchange = await ask(trial, place, {}, read)
  if (exchange.response.status >= 300)
    throw new Untestable(`a setting that can be read, and so be put back (${tellResponse(exchange)})`)
  return place
}

/** A project whose setting may be changed: one of its own, or else the one that is lent, which gets it back. */
export const projectOfSetting = async (
  trial: Trial,
  read: OperationId,
  make: (trial: Trial) => Promise<OwnPlace> = ({ world }) => ownProject(world),
): Promise<Place> => (trial.world.prerequisites.canSeed ? make(trial) : lentSetting(trial, read))

/** A cluster whose setting may be changed, likewise. */
export const clusterOfSetting = (trial: Trial, read: OperationId): Promise<Place> =>
  projectOfSetting(trial, read, ({ world }) => ownCluster(world))
