import { randomBytes } from 'node:crypto'
import { createNonces, databaseEra, memoryEra, type Nonces } from '../auth/nonce.ts'
import { type NonceUses, usesInDatabase, usesInMemory } from '../auth/nonce-uses.ts'
import { createPrincipals, type Principals } from '../auth/principals.ts'
import type { Database } from '../persistence/database.ts'
import { settings } from '../persistence/settings.ts'
import { type Project, tenants } from '../persistence/tenants.ts'
import { type CachedLookup, createCachedLookup } from './cached-lookup.ts'
import { type Clock, createClock, type RealTime } from './clock.ts'
import { createFaults, type Faults } from './faults.ts'
import { createIds, createNoticeIds, type Ids, type NoticeIds, type RandomBytes } from './ids.ts'
import { createRequestMetrics, type RequestMetrics } from './metrics.ts'
import { type RandomSource, seededRandom, systemRandom } from './random-source.ts'
import { createRequestLog, type RequestLog } from './request-log.ts'
import { createTransitionModes, type TransitionModes } from './transition-modes.ts'

/**
 * Everything that a request acts on: its own state, clock and chance. Two worlds share nothing, so that each
 * test or tenant may have one.
 */
export interface World {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly noticeIds: NoticeIds
  readonly random: RandomBytes
  readonly randomSource: RandomSource
  /** Where chance and count stood when the world began. */
  readonly origin: GeneratorPosition
  readonly principals: Principals
  /** Seconds that an access token lasts. */
  readonly tokenLifetime: number
  readonly projects: CachedLookup<Project>
  readonly nonces: Nonces
  readonly nonceUses: NonceUses
  /** What is counted of its requests; absent where nobody asks. */
  readonly metrics: RequestMetrics | undefined
  /** What a sandbox adds to a world; absent where there is none. */
  readonly sandbox: SandboxState | undefined
}

/** How far chance has been drawn and identifiers have been counted. */
export interface GeneratorPosition {
  readonly randomSource: number | undefined
  readonly ids: number
}

export const positionOf = ({
  randomSource,
  ids,
}: Pick<World, keyof GeneratorPosition>): GeneratorPosition => ({
  randomSource: randomSource.position(),
  ids: ids.position(),
})

/**
 * Lets chance that has a seed, and the identifiers that it makes, go on from a position. Without one, receivers must not
 * take what is told from there on for what they were told before.
 */
export function seekPosition(world: World, { randomSource: position, ids }: GeneratorPosition): void {
  if (position === undefined || world.randomSource.position() === undefined) {
    world.noticeIds.renew()
    return
  }
  world.randomSource.seek(position)
  world.ids.seek(ids)
}

/** What is watched and disturbed in a world that is a sandbox. */
export interface SandboxState {
  readonly faults: Faults
  readonly requests: RequestLog
  readonly transitions: TransitionModes
}

export interface WorldOptions {
  readonly realTime?: RealTime
  readonly random?: RandomBytes
  /** Makes every identifier and nonce the same each time, instead. */
  readonly randomSeed?: string
  readonly sandbox?: boolean
  readonly metrics?: RequestMetrics
  /** Seconds that a Digest nonce may be used. */
  readonly nonceLifetime: number
  /** Seconds that an access token lasts. */
  readonly tokenLifetime: number
}

/** Looks everything up again that somebody may have changed: tenants and credentials. */
export function clearTenantCaches({ principals, projects }: World): void {
  principals.clear()
  projects.clear()
}

/**
 * Voids every nonce. Where time ran backwards, those issued before would be valid a second time, and new ones would
 * look older than those that were forgotten to make room.
 */
export function voidNonces({ nonces, nonceUses }: World): void {
  nonces.void()
  nonceUses.clear()
}

/**
 * Opens the world that a database holds.
 *
 * @example
 * ```ts
 * const world = await createWorld(database, { nonceLifetime: 300, tokenLifetime: 3600 })
 * ```
 */
export async function createWorld(database: Database, options: WorldOptions): Promise<World> {
  const { randomSeed } = options
  const randomSource = randomSeed === undefined ? systemRandom(options.random) : seededRandom(randomSeed)
  const random = randomSource.bytes
  const alone = !database.dialect.shared
  const realTime = options.realTime ?? Date.now
  const clock = createClock(database, realTime, alone)
  await clock.read()
  const key = await settings.once(database, 'nonce-key', () => random(32).toString('hex'))
  const nonceLifetime = options.nonceLifetime * 1000
  const nonces = createNonces({
    key: Buffer.from(key, 'hex'),
    era: alone ? memoryEra(randomBytes) : databaseEra(realTime, nonceLifetime, clock.rewinds),
    lifetime: nonceLifetime,
    random,
  })
  const [ids, noticeIds] = [createIds(random), createNoticeIds(random)]
  return {
    database,
    clock,
    ids,
    noticeIds,
    origin: positionOf({ randomSource, ids }),
    random,
    randomSource,
    principals: createPrincipals(database, alone),
    tokenLifetime: options.tokenLifetime,
    projects: createCachedLookup(alone, (id) => tenants.project(database, id)),
    nonces,
    nonceUses: alone ? usesInMemory() : usesInDatabase(database, realTime, nonceLifetime),
    metrics: options.metrics ?? (options.sandbox ? createRequestMetrics() : undefined),
    sandbox: options.sandbox
      ? {
          faults: createFaults(),
          requests: createRequestLog(),
          transitions: await createTransitionModes(database, alone),
        }
      : undefined,
  }
}
