import { problem } from '../domain/problem.ts'
import type { Database, Session } from '../persistence/database.ts'
import { compile, isLook, type StatementSpec, type Values } from '../persistence/statement.ts'
import type { World } from './world.ts'

/** Nothing has to pass first: the world that the request finds is there already. */
const retryAfter = '0'

/**
 * A world for a request that began at a turn of its clock, and changes it no more once that has turned: what it would
 * keep has the time of before, and was asked for where its caller, or what it is about, may not be any more.
 *
 * @throws {Problem} `UNAVAILABLE` if it has turned already, before identifiers are drawn that are somebody else's.
 */
export async function heldToTurn(world: World, turns: number): Promise<World> {
  const { database, clock } = world
  const requireTurn = async (session: Session) => {
    if ((await clock.moment(session)).turns !== turns) throw putBack()
  }
  await requireTurn(database)
  const transaction: Database['transaction'] = (body, kind) =>
    database.transaction(async (within) => {
      // Within, since it may have waited for who puts the world back.
      await requireTurn(within)
      return body(within)
    }, kind)
  const changes = <P extends Values, R>(spec: StatementSpec<P, R>) =>
    !isLook(compile(spec, database.dialect).sql)
  const all: Database['all'] = (spec, values) =>
    changes(spec) ? transaction((within) => within.all(spec, values)) : database.all(spec, values)
  const one: Database['one'] = (spec, values) =>
    changes(spec) ? transaction((within) => within.one(spec, values)) : database.one(spec, values)
  return { ...world, database: { ...database, transaction, all, one } }
}

const putBack = () =>
  problem('UNAVAILABLE', {
    detail: 'The world was put back while the request was under way. Try again.',
    headers: { 'retry-after': retryAfter },
  })
