import { setTimeout as wait } from 'node:timers/promises'
import { type ProcessOptions, type ServerProcess, startProcess } from '../test/server-process.ts'

/** Several servers that share a database and are killed and paused at random. */
export interface Fleet {
  /** Returns a server that is running or paused, but not killed. */
  any(): ServerProcess
  /** Kills and pauses servers at random until you call `stop`, which returns the number of kills and pauses. */
  disturb(random: () => number): { stop(): Promise<Disturbance> }
  stop(): Promise<void>
}

export interface Disturbance {
  readonly kills: number
  readonly pauses: number
}

export async function startFleet(database: string, size: number, options: ProcessOptions): Promise<Fleet> {
  const servers = await Promise.all(Array.from({ length: size }, () => startProcess(database, options)))
  let turn = 0
  const any = () => {
    turn += 1
    const server = servers[turn % servers.length]
    if (!server) throw new Error('All servers have stopped')
    return server
  }
  const kill = async () => {
    const victim = servers.shift()
    await victim?.kill()
    servers.push(await startProcess(database, options))
  }
  const pause = async (milliseconds: number) => {
    const victim = any()
    victim.pause()
    await wait(milliseconds)
    victim.resume()
  }
  return {
    any,
    disturb: (random) => disturb({ kill, pause, random }),
    stop: async () => {
      await Promise.all(servers.map((server) => server.kill()))
    },
  }
}

interface Means {
  readonly kill: () => Promise<void>
  readonly pause: (milliseconds: number) => Promise<void>
  readonly random: () => number
}

/**
 * The longest pause in milliseconds. This maximum exceeds the database's timeout for idle transactions, so the test
 * also covers transactions that time out.
 */
const longestPause = 8000
const longestPeace = 2000

function disturb({ kill, pause, random }: Means): { stop(): Promise<Disturbance> } {
  let going = true
  const done = { kills: 0, pauses: 0 }
  const run = async () => {
    while (going) {
      await wait(random() * longestPeace)
      if (random() < 0.5) {
        await kill()
        done.kills += 1
      } else {
        // Make most pauses short, as they would be on a busy machine.
        await pause(random() ** 3 * longestPause)
        done.pauses += 1
      }
    }
    return done
  }
  const ended = run()
  return {
    stop: () => {
      going = false
      return ended
    },
  }
}
