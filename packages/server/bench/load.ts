import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'

/** A request as it is sent, made anew for each call, since a create needs another name each time. */
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
  /** How many requests differ, which come by turns; one if absent. */
  readonly different?: number
  readonly expected: number
}

export interface Measured {
  readonly requests: number
  /** Requests a second. */
  readonly rate: number
  /** Microseconds of processor time of the server for a request. */
  readonly cpu: number
}

const connections = 8
/** Ticks of the clock that /proc counts in: USER_HZ is 100 on every Linux that Node runs on. */
const microsecondsPerTick = 10_000

/** Processor time that a process has used, in ticks (proc(5), fields 14 and 15 of stat). */
export const ticksOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

/** Megabytes of memory of a process that are in use. */
export const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** Calls one after the other on each of eight connections, until the time is over. */
export async function measure(load: Load, milliseconds: number): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const before = ticksOf(load.pid)
  const started = performance.now()
  let requests = 0
  const caller = async () => {
    while (performance.now() - started < milliseconds) {
      await call(load, agent)
      requests += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, caller))
  const seconds = (performance.now() - started) / 1000
  const cpu = ((ticksOf(load.pid) - before) * microsecondsPerTick) / requests
  agent.destroy()
  return { requests, rate: requests / seconds, cpu }
}

/** Sends one request and reads the whole answer. */
export function call(load: Load, agent?: Agent): Promise<string> {
  const { method, path, headers, body } = load.next()
  return new Promise((resolve, reject) => {
    const sent = request(
      `${load.url}${path}`,
      { method, headers, ...(agent ? { agent } : {}) },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          if (response.statusCode === load.expected) resolve(text)
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 300)}`))
        })
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
