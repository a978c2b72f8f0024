import { readFileSync } from 'node:fs'
import { Pool } from 'undici'

/** A request to send. Requests aren't reused, because each created resource needs a unique name. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Load {
  readonly url: string
  readonly pid: number
  readonly next: () => Sent
  /** Number of different requests that `next` cycles through. Defaults to one. */
  readonly different?: number
  readonly expected: number
}

export interface Measured {
  readonly requests: number
  /** The number of requests per second. */
  readonly rate: number
  /** The server's CPU time per request, in microseconds. */
  readonly cpu: number
}

/** Number of connections, enough to saturate a bare `node:http` server. */
export const connections = 20
/** The length of a CPU time tick in /proc. USER_HZ is 100 on every Linux system that Node supports. */
const microsecondsPerTick = 10_000

/** Returns a process's CPU time in ticks (proc(5), fields 14 and 15 of `stat`). */
export const ticksOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

/** Returns a process's resident memory in MB. */
export const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** Sends requests until the time is up, one at a time on each connection. */
export async function measure(load: Load, milliseconds: number): Promise<Measured> {
  const pool = new Pool(load.url, { connections })
  const before = ticksOf(load.pid)
  const started = performance.now()
  let requests = 0
  const caller = async () => {
    while (performance.now() - started < milliseconds) {
      await send(pool, load)
      requests += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, caller))
  const seconds = (performance.now() - started) / 1000
  const cpu = ((ticksOf(load.pid) - before) * microsecondsPerTick) / requests
  await pool.close()
  return { requests, rate: requests / seconds, cpu }
}

/** Sends one request and reads the whole response. */
export async function call(load: Load): Promise<void> {
  const pool = new Pool(load.url)
  await send(pool, load)
  await pool.close()
}

/**
 * Sends a request. Uses undici's low-level callbacks, because the load generator competes with the server for CPU time.
 */
function send(pool: Pool, { next, expected }: Load): Promise<void> {
  const { method, path, headers, body } = next()
  return new Promise((resolve, reject) => {
    let status = 0
    let wrong = ''
    pool.dispatch(
      { method, path, headers, body: body ?? null },
      {
        // If a handler has the `onRequestStart` property, undici treats it as a new-style handler.
        onRequestStart: () => {},
        onResponseStart: (_controller, statusCode) => {
          status = statusCode
        },
        onResponseData: (_controller, chunk) => {
          if (status !== expected) wrong += chunk.toString()
        },
        onResponseEnd: () => {
          if (status === expected) resolve()
          else reject(new Error(`${method} ${path}: ${status} ${wrong.slice(0, 300)}`))
        },
        onResponseError: (_controller, error) => reject(error),
      },
    )
  })
}

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0
