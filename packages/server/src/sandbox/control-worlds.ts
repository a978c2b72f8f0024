import type { ControlAction, ControlContext } from './control-action.ts'
import { fieldsOf } from './fields.ts'
import { restoreInto } from './snapshots.ts'
import type { NamedSnapshot, NamedWorld } from './worlds.ts'

/**
 * Creates a world. The body is `{id?, fixture? | forkOf? | snapshot?, randomSeed?, clock?: {now?,
 * advanceSeconds?, rate?}}`.
 */
const create: ControlAction = async (_, body, means) => {
  return shownWorld(await means.worlds.create(body), means)
}

async function shownWorld({ id, world, createdAt, randomSeed }: NamedWorld, means: ControlContext) {
  const clock = await world.clock.read()
  return {
    id,
    ...means.addressesOf(id),
    created: new Date(createdAt).toISOString(),
    clock: { now: new Date(clock.now).toISOString(), rate: clock.rate },
    ...(randomSeed === undefined ? {} : { randomSeed }),
  }
}

const list: ControlAction = async (_, __, means) => ({
  worlds: await Promise.all(means.worlds.all().map((one) => shownWorld(one, means))),
})

const shownSnapshot = ({ id, worldId, clock }: NamedSnapshot) => ({
  id,
  worldId,
  taken: new Date(clock.now).toISOString(),
})

export const restoreAction = 'POST /snapshots/:snapshotId/restore'

export const worldActions: Readonly<Record<string, ControlAction>> = {
  'GET /worlds': list,
  'POST /worlds': create,
  'GET /worlds/:worldId': async (_, __, means) =>
    shownWorld(means.worlds.find(means.parameter('worldId')), means),
  'DELETE /worlds/:worldId': async (_, __, { worlds, parameter }) => {
    await worlds.remove(parameter('worldId'))
    return {}
  },
  'GET /snapshots': async (_, __, { worlds }) => ({ snapshots: worlds.snapshots.all().map(shownSnapshot) }),
  'POST /snapshots': async (_, __, { worlds, worldId }) =>
    shownSnapshot(await worlds.snapshots.take(worlds.find(worldId))),
  [restoreAction]: async (world, _, { worlds, worldId, parameter }) => {
    const snapshot = worlds.snapshots.find(parameter('snapshotId'))
    await restoreInto(world, snapshot, snapshot.worldId === worldId ? 'itself' : 'copy')
    return {}
  },
  'DELETE /snapshots/:snapshotId': async (_, __, { worlds, parameter }) => {
    worlds.snapshots.remove(parameter('snapshotId'))
    return {}
  },
  'GET /fixtures': async (_, __, { worlds }) => ({ fixtures: worlds.fixtures.names() }),
  'PUT /fixtures/:name': async (_, body, { worlds, parameter }) => {
    await worlds.fixtures.define(parameter('name'), fieldsOf(body, 'A fixture'))
    return {}
  },
}
