import { Pool } from 'undici'
import { connections, median, residentOf } from '../bench/load.ts'
import { newest, projectId } from '../test/demo.ts'
import { type ServerProcess, startProcess } from '../test/server-process.ts'
import { bearerOf } from '../test/token.ts'

export interface MemoryFigures {
  readonly requests: number
  /** The median memory usage in each quarter of the run, in megabytes. */
  readonly megabytes: readonly number[]
  readonly seconds: number
  /** A description of each limit that was exceeded. */
  readonly wrong: readonly string[]
}

const group = `/groups/${projectId}`
const cluster = `${group}/clusters/orders-eu`
const quarters = 4
/**
 * The maximum memory usage in megabytes, under ordinary load (`load`) and while the clock advances by several years
 * (`years`).
 */
const most = { load: 160, years: 256 }
/** The maximum memory usage in the last quarter, relative to the second quarter. */
const growth = 1.15

/**
 * Repeats an action and measures the server's memory usage after each round. Between garbage collections, the heap size
 * varies by up to a fifth, so many samples are needed to detect a leak.
 */
async function watched(
  server: ServerProcess,
  { rounds, most }: { readonly rounds: number; readonly most: number },
  round: (number: number) => Promise<void>,
) {
  const begun = performance.now()
  const samples: number[][] = Array.from({ length: quarters }, () => [])
  for (let number = 0; number < rounds; number += 1) {
    await round(number + 1)
    samples[Math.floor((number * quarters) / rounds)]?.push(residentOf(server.pid))
  }
  const megabytes = samples.map((quarter) => Math.round(median(quarter)))
  const [, second = 0] = megabytes
  const last = megabytes.at(-1) ?? 0
  const grown = last > second * growth
  return {
    megabytes,
    seconds: Math.round((performance.now() - begun) / 1000),
    wrong: [
      ...(last > most ? [`used ${last} megabytes, but the maximum is ${most}`] : []),
      ...(grown ? [`grew from ${second} megabytes in the second quarter to ${last} in the last`] : []),
    ],
  }
}

/** Creates resources and lets them go through their lifecycles while the clock advances about one month per round. */
export async function runYears(database: string, months: number): Promise<MemoryFigures> {
  const server = await startProcess(database, { flags: ['--nonce-lifetime', '86400'] })
  let requests = 0
  const ask = async (path: string, method = 'GET', json?: unknown) => {
    requests += 1
    const response = await server.ask(path, { method, ...(json === undefined ? {} : { json }) })
    if (response.status >= 500) throw new Error(`${method} ${path}: ${JSON.stringify(response.body)}`)
    return response
  }
  const round = async (number: number) => {
    const definition = { mappings: { dynamic: true } }
    const index = { database: 'soak', collectionName: 'soak', name: `index-${number}`, definition }
    const indexID = (await ask(`${cluster}/search/indexes`, 'POST', index)).textAt('indexID')
    await ask(`${cluster}/backup/snapshots`, 'POST', { description: 'soak', retentionInDays: 3 })
    const event = { groupId: projectId, eventTypeName: 'HOST_DOWN', fields: { OF: String(number) } }
    await server.control('POST', '/events', event)
    for (let week = 0; week < 4; week += 1) {
      await server.control('PUT', '/clock', { advanceSeconds: 7 * 86_400 })
      for (const path of [`${cluster}/backup/snapshots`, `${group}/alerts`, `${cluster}/search/indexes`])
        await ask(path)
    }
    await server.control('POST', '/events', { ...event, active: false })
    await ask(`${cluster}/search/indexes/${indexID}`, 'DELETE')
  }
  try {
    const figures = await watched(server, { rounds: months, most: most.years }, round)
    return { requests, ...figures }
  } finally {
    await server.kill()
  }
}

/** Sends reads, lists, invalid requests and writes on several connections, one request at a time on each. */
export async function runLoad(database: string, requests: number): Promise<MemoryFigures> {
  const server = await startProcess(database, { flags: ['--token-lifetime', '86400'] })
  const pool = new Pool(server.url, { connections })
  try {
    const authorization = await bearerOf(server.url)
    const send = (number: number) => exchange(pool, authorization, number)
    const rounds = Math.ceil(requests / connections)
    const figures = await watched(server, { rounds, most: most.load }, async (number) => {
      await Promise.all(Array.from({ length: connections }, (_, at) => send(number * connections + at)))
    })
    return { requests: rounds * connections, ...figures }
  } finally {
    await pool.destroy()
    await server.kill()
  }
}

const paths = [
  `${group}/alertConfigs`,
  `${group}/alerts?itemsPerPage=1`,
  `${cluster}/backup/snapshots`,
  `${group}/alerts/${'f'.repeat(24)}`,
  `${group}/alertConfigs?itemsPerPage=x`,
]

/** Sends a request. One in a hundred requests changes data. */
async function exchange(pool: Pool, authorization: string, number: number): Promise<void> {
  const writes = number % 100 === 0
  const path = writes ? `${group}/awsCustomDNS` : (paths[number % paths.length] ?? '')
  const headers = { authorization, accept: newest, ...(writes ? { 'content-type': newest } : {}) }
  const { statusCode, body } = await pool.request({
    path: `/api/svc/v2${path}`,
    method: writes ? 'PATCH' : 'GET',
    headers,
    body: writes ? JSON.stringify({ enabled: number % 200 === 0 }) : null,
  })
  await body.dump()
  if (statusCode >= 500) throw new Error(`${path}: ${statusCode}`)
}
