import { Problem } from '../domain/problem.ts'
import type { Database, Session } from '../persistence/database.ts'
import { compile, isLook, type StatementSpec, type Values } from '../persistence/statement.ts'
import type { World } from './world.ts'

/** Nothing has to pass first: the world that the request finds is there already. */
const retryAfter = '0'

/** What was made last for a world: most requests begin at the turn of the one before. */
const latest = new WeakMap<World, { readonly turns: number; readonly held: World }>()

/**
 * A world for a request that began at a turn of its clock, and changes it no more once that has turned: what it would
 * keep has the time of before, and was asked for where its caller, or what it is about, may not be any more.
 *
 * @throws {Problem} `UNAVAILABLE` if it has turned already, before identifiers are drawn that are somebody else's.
 */
export async function fencedWorld(world: World, turns: number): Promise<World> {
  if ((await world.clock.worldTime()).rewinds !== turns) throw new WorldRewound()
  return fencedAt(world, turns)
}

/** The same at the turn that its clock has just told. */
function fencedAt(world: World, turns: number): World {
  const { database } = world
  const known = latest.get(world)
  if (known?.turns === turns) return known.held
  const held = {
    ...world,
    database: database.dialect.shared ? fenceInDatabase(world, turns) : fenceInProcess(world, turns),
  }
  latest.set(world, { turns, held })
  return held
}

/** Who meets with more of them is told to come again himself. */
const maxRetries = 10

/**
 * Does work that changes a world, again in what the world has become if that was put back meanwhile: what was asked for at
 * the same moment may as well have come after it.
 *
 * @throws {Problem} `UNAVAILABLE` if it is put back again and again.
 */
export async function retryAfterRewind<T>(world: World, work: (held: World) => Promise<T>): Promise<T> {
  for (let left = maxRetries; ; left -= 1) {
    try {
      return await work(fencedAt(world, (await world.clock.worldTime()).rewinds))
    } catch (error) {
      if (!(error instanceof WorldRewound) || left === 0) throw error
    }
  }
}

/** Nobody else puts the world back, and each statement is done when it returns: a look at what is known will do. */
const fenceInProcess = ({ database, clock }: World, turns: number): Database =>
  database.guarded(() => {
    if (clock.rewinds() !== turns) throw new WorldRewound()
  })

/** Another process may put the world back: what is looked up holds for the transaction in which it is. */
function fenceInDatabase({ database, clock }: World, turns: number): Database {
  const requireTurn = async (session: Session) => {
    if ((await clock.worldTime(session)).rewinds !== turns) throw new WorldRewound()
  }
  const transaction: Database['transaction'] = (body, kind) =>
    database.transaction(async (within) => {
      await requireTurn(within)
      return body(within)
    }, kind)
  const changes = <P extends Values, R>(spec: StatementSpec<P, R>) =>
    !isLook(compile(spec, database.dialect).sql)
  return {
    ...database,
    transaction,
    all: (spec, values) =>
      changes(spec) ? transaction((within) => within.all(spec, values)) : database.all(spec, values),
    one: (spec, values) =>
      changes(spec) ? transaction((within) => within.one(spec, values)) : database.one(spec, values),
  }
}

class WorldRewound extends Problem {
  constructor() {
    super('UNAVAILABLE', {
      detail: 'The world was put back while the request was under way. Try again.',
      headers: { 'retry-after': retryAfter },
    })
  }
}
