import { Problem } from '../domain/problem.ts'
import type { Database, Session } from '../persistence/database.ts'
import { compile, isRead, type StatementSpec, type Values } from '../persistence/statement.ts'
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
export async function heldToTurn(world: World, turns: number): Promise<World> {
  if ((await world.clock.moment()).turns !== turns) throw new PutBack()
  return heldAt(world, turns)
}

/** The same at the turn that its clock has just told. */
function heldAt(world: World, turns: number): World {
  const { database } = world
  const known = latest.get(world)
  if (known?.turns === turns) return known.held
  const held = { ...world, database: database.dialect.shared ? amongMany(world, turns) : alone(world, turns) }
  latest.set(world, { turns, held })
  return held
}

/** Who meets with more of them is told to come again himself. */
const mostTurns = 10

/**
 * Does work that changes a world, again in what the world has become if that was put back meanwhile: what was asked for at
 * the same moment may as well have come after it.
 *
 * @throws {Problem} `UNAVAILABLE` if it is put back again and again.
 */
export async function withinTurn<T>(world: World, work: (held: World) => Promise<T>): Promise<T> {
  for (let left = mostTurns; ; left -= 1) {
    try {
      return await work(heldAt(world, (await world.clock.moment()).turns))
    } catch (error) {
      if (!(error instanceof PutBack) || left === 0) throw error
    }
  }
}

/** Nobody else puts the world back, and each statement is done when it returns: a look at what is known will do. */
const alone = ({ database, clock }: World, turns: number): Database =>
  database.guarded(() => {
    if (clock.turns() !== turns) throw new PutBack()
  })

/** Another process may put the world back: what is looked up holds for the transaction in which it is. */
function amongMany({ database, clock }: World, turns: number): Database {
  const requireTurn = async (session: Session) => {
    if ((await clock.moment(session)).turns !== turns) throw new PutBack()
  }
  const transaction: Database['transaction'] = (body, kind) =>
    database.transaction(async (within) => {
      await requireTurn(within)
      return body(within)
    }, kind)
  const changes = <P extends Values, R>(spec: StatementSpec<P, R>) =>
    !isRead(compile(spec, database.dialect).sql)
  return {
    ...database,
    transaction,
    all: (spec, values) =>
      changes(spec) ? transaction((within) => within.all(spec, values)) : database.all(spec, values),
    one: (spec, values) =>
      changes(spec) ? transaction((within) => within.one(spec, values)) : database.one(spec, values),
  }
}

class PutBack extends Problem {
  constructor() {
    super('UNAVAILABLE', {
      detail: 'The world was put back while the request was under way. Try again.',
      headers: { 'retry-after': retryAfter },
    })
  }
}
