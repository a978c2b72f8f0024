import { Problem } from '../domain/problem.ts'
import type { Database, Session } from '../persistence/database.ts'
import type { Eventually } from '../persistence/dialects/dialect.ts'
import { compile, isRead, type StatementSpec, type Values } from '../persistence/statement.ts'
import type { WorldTime } from './clock.ts'
import type { World } from './world.ts'

/** The value of `Retry-After`, which is 0 because clients can retry the request immediately. */
const retryAfter = '0'

/** The most recent fenced world for each world, cached because the rewind count rarely changes. */
const latest = new WeakMap<World, { readonly rewinds: number; readonly fenced: World }>()

/**
 * Returns a world that rejects writes after the original world is rewound. Writes that use the time and permissions
 * from before the rewind would make the data inconsistent.
 *
 * @throws {Problem} `UNAVAILABLE` if the world has already been rewound. This check runs before any IDs are generated.
 */
export function fencedWorld(world: World, rewinds: number): Eventually<World> {
  const fence = (time: WorldTime): World => {
    if (time.rewinds !== rewinds) throw new WorldRewound()
    return fencedAt(world, rewinds)
  }
  const time = world.clock.worldTime()
  return time instanceof Promise ? time.then(fence) : fence(time)
}

function fencedAt(world: World, rewinds: number): World {
  const { database } = world
  const known = latest.get(world)
  if (known?.rewinds === rewinds) return known.fenced
  const fenced = {
    ...world,
    database: database.dialect.shared ? fenceInDatabase(world, rewinds) : fenceInProcess(world, rewinds),
  }
  latest.set(world, { rewinds, fenced })
  return fenced
}

const maxRetries = 10

/**
 * Runs work that changes a world. If the world is rewound while the work is running, repeats the work.
 *
 * @throws {Problem} `UNAVAILABLE` if the world is rewound repeatedly.
 */
export async function retryAfterRewind<T>(world: World, work: (fenced: World) => Promise<T>): Promise<T> {
  for (let left = maxRetries; ; left -= 1) {
    try {
      return await work(fencedAt(world, (await world.clock.worldTime()).rewinds))
    } catch (error) {
      if (!(error instanceof WorldRewound) || left === 0) throw error
    }
  }
}

/**
 * Rejects writes after this process has rewound the world. No other process can rewind the world, so checking the
 * cached rewind count is sufficient.
 */
const fenceInProcess = ({ database, clock }: World, rewinds: number): Database =>
  database.guarded(() => {
    if (clock.rewinds() !== rewinds) throw new WorldRewound()
  })

/**
 * Rejects writes after any process has rewound the world. Each transaction checks the stored rewind count to detect a
 * rewind.
 */
function fenceInDatabase({ database, clock }: World, rewinds: number): Database {
  const requireNoRewind = async (session: Session) => {
    if ((await clock.worldTime(session)).rewinds !== rewinds) throw new WorldRewound()
  }
  const transaction: Database['transaction'] = (body, kind) =>
    database.transaction(async (within) => {
      await requireNoRewind(within)
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

class WorldRewound extends Problem {
  constructor() {
    super('UNAVAILABLE', {
      detail: 'The world was reset or its clock was set back during the request. Try again.',
      headers: { 'retry-after': retryAfter },
    })
  }
}
