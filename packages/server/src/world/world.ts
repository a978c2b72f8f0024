import { randomBytes } from 'node:crypto'
import { createNonces, databaseEra, memoryEra, type Nonces } from '../auth/nonce.ts'
import { type NonceUses, usesInDatabase, usesInMemory } from '../auth/nonce-uses.ts'
import { createPrincipals, type Principals } from '../auth/principals.ts'
import type { RandomBytes, RealTime } from '../domain/injected.ts'
import { type CachedLookup, createCachedLookup } from '../persistence/cached-lookup.ts'
import type { Database } from '../persistence/database.ts'
import { settings } from '../persistence/settings.ts'
import { type Project, tenants } from '../persistence/tenants.ts'
import { type Clock, createClock } from './clock.ts'
import { createFaults, type Faults } from './faults.ts'
import { createIds, createNoticeIds, type Ids, type NoticeIds } from './ids.ts'
import { createRequestMetrics, type RequestMetrics } from './metrics.ts'
import { type RandomSource, seededRandom, systemRandom } from './random-source.ts'
import { createRequestLog, type RequestLog } from './request-log.ts'
import { createTransitionModes, type TransitionModes } from './transition-modes.ts'

/**
 * The state that requests use, such as the database, the clock and the random source. Worlds are completely separate
 * from each other, so each test or tenant can have its own world.
 */
export interface World {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly noticeIds: NoticeIds
  readonly random: RandomBytes
  readonly randomSource: RandomSource
  /** The positions of the generators at the time of the world's creation. */
  readonly origin: GeneratorPosition
  readonly principals: Principals
  /** The lifetime of access tokens in seconds. */
  readonly tokenLifetime: number
  readonly projects: CachedLookup<Project>
  readonly nonces: Nonces
  readonly nonceUses: NonceUses
  /** The request metrics, or undefined if metrics are disabled. */
  readonly metrics: RequestMetrics | undefined
  /** The sandbox state, or undefined if sandbox mode is off. */
  readonly sandbox: SandboxState | undefined
}

/** The positions of the random source and the ID generator. */
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
 * Restores the positions of seeded generators. If there is no seed, changes the notification IDs instead. Otherwise,
 * webhook receivers could mistake new notifications for repeated notifications.
 */
export function seekPosition(world: World, { randomSource: position, ids }: GeneratorPosition): void {
  if (position === undefined || world.randomSource.position() === undefined) {
    world.noticeIds.renew()
    return
  }
  world.randomSource.seek(position)
  world.ids.seek(ids)
}

/** The parts of a world that exist only in a sandbox (faults, the request log and transition modes). */
export interface SandboxState {
  readonly faults: Faults
  readonly requests: RequestLog
  readonly transitions: TransitionModes
}

export interface WorldOptions {
  readonly realTime?: RealTime
  readonly random?: RandomBytes
  /** A seed that makes IDs and nonces reproducible. If a seed is set, `random` isn't used. */
  readonly randomSeed?: string
  readonly sandbox?: boolean
  readonly metrics?: RequestMetrics
  /** The lifetime of Digest nonces in seconds. */
  readonly nonceLifetime: number
  /** The lifetime of access tokens in seconds. */
  readonly tokenLifetime: number
}

/** Clears the cached projects and credentials. */
export function clearTenantCaches({ principals, projects }: World): void {
  principals.clear()
  projects.clear()
}

/**
 * Invalidates all nonces. Otherwise, old nonces would become valid again after a rewind, and new nonces would appear
 * older than evicted nonces.
 */
export function voidNonces({ nonces, nonceUses }: World): void {
  nonces.void()
  nonceUses.clear()
}

/**
 * Opens the world stored in a database.
 *
 * @example
 * ```ts
 * const world = await createWorld(database, { nonceLifetime: 300, tokenLifetime: 600 })
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
