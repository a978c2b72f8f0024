import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { residentOf } from '../bench/load.ts'
import { projectId } from '../test/demo.ts'
import { type ServerProcess, startProcess } from '../test/server-process.ts'

export interface AttackFigures {
  /** The number of responses that the attacker received. */
  readonly responses: number
  readonly seconds: number
  /** Increase in the server's memory usage during the attack, compared with the idle server, in megabytes. */
  readonly megabytes: number
  /** Longest response time for any other client, in milliseconds. */
  readonly slowest: number
  /**
   * Maximum CPU time that the server used while another client waited, in milliseconds. Unlike response time, CPU time
   * doesn't depend on other programs on the machine.
   */
  readonly slowestCpu: number
  /** A description of each limit that was exceeded. */
  readonly wrong: readonly string[]
}

interface Attack {
  readonly sockets: number
  /** The number of pipelined requests per socket. */
  readonly requests: number
  readonly request: string
}

const path = `/api/svc/v2/groups/${projectId}/alerts`

/** The attacks. None of the attacks require credentials. */
const attacks: Readonly<Record<string, Attack>> = {
  reads: { sockets: 200, requests: 1000, request: `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n` },
  bodies: {
    sockets: 200,
    requests: 1000,
    request: `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx`,
  },
  metrics: { sockets: 5, requests: 2000, request: 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n' },
}
/**
 * The limits on the server's memory and CPU usage during an attack. `megabytes` is the maximum increase in memory
 * usage, compared with the idle server. `slowestCpu` is the maximum CPU time, in milliseconds, that the server can use
 * before another client receives a response.
 */
const most = { megabytes: 150, slowestCpu: 1000 }

/** Runs each attack against a newly started server. */
export async function* runAttacks(
  createDatabase: () => Promise<string> | string,
): AsyncGenerator<[name: string, figures: AttackFigures]> {
  for (const [name, attack] of Object.entries(attacks)) {
    const server = await startProcess(await createDatabase(), { flags: ['--metrics'] })
    try {
      yield [name, await runAttack(server, attack)]
    } finally {
      await server.kill()
    }
  }
}

async function runAttack(server: ServerProcess, attack: Attack): Promise<AttackFigures> {
  await waitOf(server)
  const idle = residentOf(server.pid)
  const begun = performance.now()
  const attacker = startAttacker(server, attack)
  const ended = once(attacker, 'close')
  const responses = countResponses(attacker)
  let [peak, slowest, slowestCpu] = [idle, 0, 0]
  // The attacker runs in a separate process so that its own work doesn't delay the other client.
  while (attacker.exitCode === null) {
    const { milliseconds, cpu } = await waitOf(server)
    slowest = Math.max(slowest, milliseconds)
    slowestCpu = Math.max(slowestCpu, cpu)
    peak = Math.max(peak, residentOf(server.pid))
    await wait(5)
  }
  await ended
  const figures = {
    responses: await responses,
    seconds: Math.round((performance.now() - begun) / 1000),
    megabytes: Math.round(peak - idle),
    slowest: Math.round(slowest),
    slowestCpu: Math.round(slowestCpu),
  }
  const expected = attack.sockets * attack.requests
  return {
    ...figures,
    wrong: [
      ...(figures.responses === expected
        ? []
        : [`sent ${figures.responses} responses instead of ${expected}`]),
      ...(figures.megabytes <= most.megabytes
        ? []
        : [`used more than ${most.megabytes} additional megabytes`]),
      ...(figures.slowestCpu <= most.slowestCpu
        ? []
        : [`used more than ${most.slowestCpu} ms of CPU time while a client waited`]),
    ],
  }
}

function startAttacker({ url }: ServerProcess, { sockets, requests, request }: Attack): ChildProcess {
  const file = fileURLToPath(new URL('attacker.ts', import.meta.url))
  const args = [...process.execArgv, file, new URL(url).port, String(sockets), String(requests), request]
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Adds up the response counts that the attacker prints for its sockets. */
async function countResponses({ stdout }: ChildProcess): Promise<number> {
  let count = 0
  if (stdout) for await (const line of createInterface({ input: stdout })) count += Number(line)
  return count
}

/** Sends a request from a new client and measures the response time. */
async function waitOf({ url, pid }: ServerProcess): Promise<{ milliseconds: number; cpu: number }> {
  const [begun, cpu] = [performance.now(), cpuOf(pid)]
  const request = get(`${url}${path}`, { agent: false })
  const [response] = await once(request, 'response')
  await once(response.resume(), 'end')
  return { milliseconds: performance.now() - begun, cpu: cpuOf(pid) - cpu }
}

/** Returns the CPU time that a process's main thread has used, in milliseconds. */
const cpuOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000
