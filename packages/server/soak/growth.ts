import { join } from 'node:path'
import { type Load, measure, type Sent } from '../bench/load.ts'
import { Stored } from '../src/domain/stored.ts'
import { timestamp } from '../src/domain/timestamp.ts'
import { type AlertConfigDocument, alertConfigs } from '../src/persistence/alert-configs.ts'
import { type Database, openDatabase } from '../src/persistence/database.ts'
import { newest, projectId } from '../test/demo.ts'
import { type ServerProcess, startProcess } from '../test/server-process.ts'
import { bearerOf } from '../test/token.ts'

export interface GrowthFigures {
  readonly resources: readonly number[]
  /**
   * CPU times per request in microseconds, keyed by request type. Each list contains one CPU time per number of
   * resources.
   */
  readonly microseconds: Readonly<Record<string, readonly number[]>>
  /** A description of each limit that was exceeded. */
  readonly wrong: readonly string[]
}

/**
 * Number of resources that fit into the four-megabyte cache, so only the first read of each resource accesses the file.
 */
const few = 1000
/**
 * Number of resources that exceed the cache. If these resources are read in rotation, each read accesses the file, just
 * as with a million resources.
 */
const some = 10_000
/**
 * The maximum CPU time with many resources, relative to the CPU time with few. The limit leaves room for noise and for
 * additional levels in the database's B-trees.
 */
const most = 1.5
const perPage = 100
/** The number of resources to insert per transaction. */
const batch = 1000
const [warmUp, milliseconds, rounds] = [2000, 500, 8]
const base = `/api/svc/v2/groups/${projectId}/alertConfigs`
const idOf = (number: number): string => number.toString(16).padStart(24, '0')
const body = { eventTypeName: 'HOST_DOWN', notifications: [], enabled: true }

/** Measures the CPU time per request in projects with a thousand, ten thousand and `many` resources. */
export async function runGrowth(folder: string, many: number): Promise<GrowthFigures> {
  const resources = [few, some, many]
  const servers: ServerProcess[] = []
  try {
    for (const size of resources) servers.push(await filled(join(folder, `${size}.db`), size))
    const sources = await Promise.all(servers.map((server, at) => loadsOf(server, resources[at] ?? 0)))
    const microseconds: Record<string, readonly number[]> = {}
    for (const name of names)
      microseconds[name] = (await costs(sources.map((loads) => loads[name]))).map(Math.round)
    return {
      resources,
      microseconds,
      wrong: names.flatMap((name) => tooMuch(name, microseconds[name] ?? [])),
    }
  } finally {
    for (const server of servers) await server.kill()
  }
}

const tooMuch = (name: Name, [ofFew = 0, ofSome = 0, ofMany = 0]: readonly number[]): string[] => [
  ...growthOf(name, ofMany / ofSome, some),
  ...growthOf(name, ofMany / ofFew, few),
]

const growthOf = (name: Name, times: number, among: number): string[] =>
  times < most ? [] : [`${name}: takes ${times.toFixed(2)} times as long as with ${among} resources`]

/**
 * Measures the CPU time per request for each load. The loads run one after another in each round. The result for each
 * load is the lowest measurement, because other programs on the machine can only increase the CPU time.
 */
async function costs(loads: readonly Load[]): Promise<number[]> {
  for (const load of loads) await measure(load, warmUp)
  const found = loads.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, load] of loads.entries()) {
      const { cpu } = await measure(load, milliseconds)
      found[at] = Math.min(found[at] ?? cpu, cpu)
    }
  }
  return found
}

async function filled(file: string, count: number): Promise<ServerProcess> {
  // Start the server once to create the tables and the project.
  await (await startProcess(file)).kill()
  const database = await openDatabase(file)
  for (let start = 0; start < count; start += batch) await fill(database, start, start + batch)
  await database.close()
  return startProcess(file)
}

/** Inserts resources through the repository in one transaction. */
function fill(database: Database, from: number, to: number): Promise<void> {
  return database.transaction(async (transaction) => {
    for (let number = from; number < to; number += 1) {
      const [id, createdAt] = [idOf(number), 1_700_000_000_000 + number]
      const at = timestamp(createdAt)
      const document: AlertConfigDocument = { ...body, id, groupId: projectId, created: at, updated: at }
      const { eventTypeName, enabled } = body
      const config = { id, groupId: projectId, createdAt, eventTypeName, enabled, secrets: {} }
      await alertConfigs.put(transaction, { ...config, document: Stored.of(document) })
    }
  }, 'upkeep')
}

const names = ['get one', 'first page', 'create', 'create, first page', 'create, deep page'] as const
type Name = (typeof names)[number]

async function loadsOf(server: ServerProcess, count: number): Promise<Record<Name, Load>> {
  const headers = { authorization: await bearerOf(server.url), accept: newest }
  const deep = Math.floor(count / perPage)
  const get = (path: string): Sent => ({ method: 'GET', path, headers })
  const create: Sent = {
    method: 'POST',
    path: base,
    headers: { ...headers, 'content-type': newest },
    body: JSON.stringify(body),
  }
  const first = get(`${base}?itemsPerPage=${perPage}`)
  const last = get(`${base}?itemsPerPage=${perPage}&pageNum=${deep}`)
  let turn = 0
  const inTurn = (page: Sent) => () => (turn++ % 2 === 0 ? create : page)
  const load = (next: () => Sent): Load => ({ url: server.url, pid: server.pid, next, expected: 200 })
  return {
    // With this step size, requests read all resources in a scattered order instead of sequentially.
    'get one': load(() => get(`${base}/${idOf((turn++ * 7919) % count)}`)),
    'first page': load(() => first),
    create: load(() => create),
    'create, first page': load(inTurn(first)),
    'create, deep page': load(inTurn(last)),
  }
}
