import { join } from 'node:path'
import { type Load, measure, type Sent } from '../bench/load.ts'
import { Stored } from '../src/domain/stored.ts'
import { timestamp } from '../src/domain/timestamp.ts'
import { type AlertConfigDocument, alertConfigs } from '../src/persistence/alert-configs.ts'
import { type Database, openDatabase } from '../src/persistence/database.ts'
import { newest, projectId } from '../test/demo.ts'
import { type ServerProcess, startProcess } from '../test/server-process.ts'
import { tokenOf } from './memory.ts'

export interface GrowthFigures {
  /** Microseconds of processor time of a request, with few resources and with many, and how many times that is. */
  readonly microseconds: Readonly<Record<string, readonly [few: number, many: number, times: number]>>
  /** What is not as it must be. */
  readonly wrong: readonly string[]
}

const few = 1000
/** How many times as much a request may take with many resources: what a few more levels of a tree cost, and noise. */
const most = 1.5
const perPage = 100
const [warmUp, milliseconds, rounds] = [2000, 500, 8]
const base = `/api/svc/v2/groups/${projectId}/alertConfigs`
const idOf = (number: number): string => number.toString(16).padStart(24, '0')
const body = { eventTypeName: 'HOST_DOWN', notifications: [], enabled: true }

/** What requests cost of a project that holds a thousand resources, beside one that holds as many as said. */
export async function runGrowth(folder: string, many: number): Promise<GrowthFigures> {
  const sizes = [few, many]
  const servers: ServerProcess[] = []
  try {
    for (const size of sizes) servers.push(await filled(join(folder, `${size}.db`), size))
    const sources = await Promise.all(servers.map((server, at) => loadsOf(server, sizes[at] ?? 0)))
    const microseconds: Record<string, readonly [number, number, number]> = {}
    for (const name of names) {
      const [before = 0, after = 0] = await costs(sources.map((loads) => loads[name]))
      microseconds[name] = [Math.round(before), Math.round(after), Number((after / before).toFixed(2))]
    }
    return { microseconds, wrong: names.flatMap((name) => tooMuch(name, microseconds[name] ?? [])) }
  } finally {
    for (const server of servers) await server.kill()
  }
}

const tooMuch = (name: Name, [, , times = 0]: readonly number[]): string[] =>
  times < most ? [] : [`${name}: ${times} times as much`]

/** Processor time of a request of each load, measured in turns: the least, since a busy machine only adds to it. */
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
  // The first start makes the tables and the project.
  await (await startProcess(file)).kill()
  const database = await openDatabase(file)
  for (let start = 0; start < count; start += few) await fill(database, start, start + few)
  await database.close()
  return startProcess(file)
}

/** Straight through the repository, a thousand in each transaction. */
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
  const headers = { authorization: await tokenOf(server), accept: newest }
  const deep = Math.floor(count / perPage)
  const get = (path: string): Sent => ({ method: 'GET', path, headers })
  const text = JSON.stringify(body)
  const sizes = { 'content-type': newest, 'content-length': String(Buffer.byteLength(text)) }
  const create: Sent = { method: 'POST', path: base, headers: { ...headers, ...sizes }, body: text }
  const first = get(`${base}?itemsPerPage=${perPage}`)
  const last = get(`${base}?itemsPerPage=${perPage}&pageNum=${deep}`)
  let turn = 0
  const inTurn = (page: Sent) => () => (turn++ % 2 === 0 ? create : page)
  const load = (next: () => Sent): Load => ({ url: server.url, pid: server.pid, next, expected: 200 })
  return {
    // A stride that meets every one of them, each in another place.
    'get one': load(() => get(`${base}/${idOf((turn++ * 7919) % count)}`)),
    'first page': load(() => first),
    create: load(() => create),
    'create, first page': load(inTurn(first)),
    'create, deep page': load(inTurn(last)),
  }
}
