import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { problem } from '../domain/problem.ts'
import { onDisk, openScratch } from '../persistence/database.ts'
import { createWorld, type World, type WorldOptions } from '../world/world.ts'
import { moveClock, startClock } from './clock-change.ts'
import { ControlInputError } from './fields.ts'
import { createFixtures, defaultFixture, type Fixtures } from './fixtures.ts'
import { type CheckedNewWorld, checkedNewWorld } from './new-world.ts'
import { seed } from './seed.ts'
import { restoreInto, snapshotOf, type WorldSnapshot } from './snapshots.ts'
import { type Template, templateOf } from './templates.ts'

export interface NamedWorld {
  readonly id: string
  readonly world: World
  readonly createdAt: number
  readonly randomSeed: string | undefined
}

export interface NamedSnapshot extends WorldSnapshot {
  readonly id: string
  readonly worldId: string
  readonly randomSeed: string | undefined
}

export interface Worlds {
  readonly fixtures: Fixtures
  /**
   * Returns the world with the given ID.
   *
   * @throws {Problem} `RESOURCE_NOT_FOUND` if the world doesn't exist.
   */
  find(id: string): NamedWorld
  get(id: string): NamedWorld | undefined
  all(): readonly NamedWorld[]
  /**
   * Creates a world.
   *
   * @throws {ControlInputError} if the options are invalid.
   */
  create(wanted: unknown): Promise<NamedWorld>
  remove(id: string): Promise<void>
  readonly snapshots: SnapshotStore
  /** Closes all worlds except the main world, and deletes the files of all worlds. */
  close(): Promise<void>
}

export interface SnapshotStore {
  take(of: NamedWorld): Promise<NamedSnapshot>
  find(id: string): NamedSnapshot
  all(): readonly NamedSnapshot[]
  remove(id: string): void
}

/** The ID of the main world, which has no path prefix. */
export const mainWorld = 'main'

/** The maximum numbers of worlds and snapshots, which are stored in memory. Each world takes up about 1.4 MB. */
export const worldLimits = { worlds: 256, snapshots: 100 }

const unknownWorld = (id: string) =>
  problem('RESOURCE_NOT_FOUND', { detail: `No world with the ID ${id.slice(0, 100)} exists.` })

/** Creates a server's set of worlds, which includes the main world. */
export function createWorlds(main: World, options: WorldOptions, limits = worldLimits): Worlds {
  const named: NamedWorld = { id: mainWorld, world: main, createdAt: Date.now(), randomSeed: undefined }
  const known = new Map<string, NamedWorld>([[mainWorld, named]])
  const files = scratchFiles()
  const open = (id: string, { file }: Template, randomSeed?: string) =>
    openWorld(files.write(id, file), options, randomSeed)
  const fixtures = createFixtures(async (content) => {
    // Validate the fixture with an empty world, because resets and new worlds also add fixtures to an empty world.
    const trial = await open('fixture', await templateOf('empty', () => ({})))
    await seed(trial, content).finally(() => trial.database.close())
  })
  // The IDs of worlds that are being created.
  const reserved = new Set<string>()
  let closed = false
  const snapshots = createSnapshotStore(limits.snapshots)
  const find = (id: string) => {
    const found = known.get(id)
    if (!found) throw unknownWorld(id)
    return found
  }
  const make = async (id: string, wanted: CheckedNewWorld): Promise<NamedWorld> => {
    const { fixture = defaultFixture } = wanted
    const from = await originOf(wanted, find, snapshots)
    const randomSeed = wanted.randomSeed ?? from?.randomSeed
    const isDemo = !from && fixture === defaultFixture
    const template = await templateOf(isDemo ? defaultFixture : 'empty', () =>
      isDemo ? fixtures.find(fixture) : {},
    )
    const content = from || isDemo ? template.rest : fixtures.find(fixture)
    const world = await open(id, template, randomSeed)
    try {
      await begin(world, wanted, from, content)
      if (closed) throw new ControlInputError('The server has been stopped')
    } catch (error) {
      await world.database.close()
      throw error
    }
    return { id, world, createdAt: Date.now(), randomSeed }
  }
  return {
    fixtures,
    find,
    get: (id) => known.get(id),
    all: () => [...known.values()],
    create: async (wish) => {
      if (closed) throw new ControlInputError('The server has been stopped')
      const wanted = checkedNewWorld(wish)
      const id = wanted.id ?? `w${randomBytes(6).toString('hex')}`
      if (known.has(id) || reserved.has(id)) {
        throw problem('DUPLICATE_NAME', { detail: `A world with the ID ${id} already exists.` })
      }
      if (known.size + reserved.size >= limits.worlds) throw limitReached(limits.worlds, 'world')
      reserved.add(id)
      try {
        const made = await make(id, wanted)
        known.set(id, made)
        return made
      } finally {
        reserved.delete(id)
      }
    },
    remove: async (id) => {
      if (id === mainWorld) throw new ControlInputError('The main world cannot be deleted')
      const { world } = find(id)
      known.delete(id)
      release(world)
      await world.database.close()
    },
    snapshots,
    close: async () => {
      closed = true
      const others = [...known.values()].filter(({ id }) => id !== mainWorld)
      for (const { id } of others) known.delete(id)
      await Promise.all(others.map(({ world }) => world.database.close()))
      files.remove()
    },
  }
}

/** Ends the streams and delayed requests of a removed world. */
function release({ sandbox }: World): void {
  sandbox?.faults.end()
  sandbox?.requests.end()
}

async function openWorld(path: string, options: WorldOptions, randomSeed?: string): Promise<World> {
  const database = await openScratch(path)
  try {
    return await createWorld(database, { ...options, ...(randomSeed === undefined ? {} : { randomSeed }) })
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Starts a world at the requested time, with a fixture or as a copy of another world. */
async function begin(
  world: World,
  { clock, randomSeed }: CheckedNewWorld,
  from: WorldSnapshot | undefined,
  content: unknown,
): Promise<void> {
  if (from) {
    await restoreInto(world, randomSeed === undefined ? from : withOwnChance(from), 'copy')
    if (clock) await moveClock(world, clock)
    return
  }
  if (clock) await startClock(world, clock)
  await seed(world, content)
}

/** Removes the random generator's state from a snapshot, because a world with a different seed can't use this state. */
const withOwnChance = (from: WorldSnapshot): WorldSnapshot => ({
  ...from,
  position: { ...from.position, randomSource: undefined },
})

/** Returns the world or snapshot to copy. Returns undefined if the new world starts with a fixture. */
async function originOf(
  { forkOf, snapshot }: CheckedNewWorld,
  find: (id: string) => NamedWorld,
  snapshots: SnapshotStore,
): Promise<(WorldSnapshot & { readonly randomSeed: string | undefined }) | undefined> {
  if (snapshot !== undefined) return snapshots.find(snapshot)
  if (forkOf === undefined) return undefined
  const { world, randomSeed } = find(forkOf)
  return { ...(await snapshotOf(world)), randomSeed }
}

const limitReached = (limit: number, kind: string) =>
  new ControlInputError(
    `The sandbox already has ${limit} ${kind}s, which is the maximum. Delete a ${kind} first`,
  )

function createSnapshotStore(limit: number): SnapshotStore {
  const kept = new Map<string, NamedSnapshot>()
  let count = 0
  const find = (id: string) => {
    const found = kept.get(id)
    if (!found)
      throw problem('RESOURCE_NOT_FOUND', { detail: `No snapshot with the ID ${id.slice(0, 100)} exists.` })
    return found
  }
  return {
    find,
    all: () => [...kept.values()],
    take: async ({ id: worldId, world, randomSeed }) => {
      if (kept.size >= limit) throw limitReached(limit, 'snapshot')
      count += 1
      const taken = { ...(await snapshotOf(world)), id: `snapshot-${count}`, worldId, randomSeed }
      kept.set(taken.id, taken)
      return taken
    },
    remove: (id) => {
      find(id)
      kept.delete(id)
    },
  }
}

/** Manages a folder for world files. The folder is created along with the first file. */
function scratchFiles() {
  let folder: string | undefined
  let count = 0
  return {
    write: (id: string, bytes: Buffer): string =>
      onDisk(() => {
        folder ??= mkdtempSync(join(tmpdir(), 'svc-admin-worlds-'))
        count += 1
        const path = join(folder, `${count}-${id}.db`)
        try {
          writeFileSync(path, bytes)
        } catch (error) {
          // Remove the incomplete file.
          rmSync(path, { force: true })
          throw error
        }
        return path
      }),
    remove: () => {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}
