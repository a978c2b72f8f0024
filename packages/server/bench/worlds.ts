/**
 * Measures how long it takes to start a server and to create a world in a running server. To run it, use `node --import
 * tsx --conditions=@svc-admin/source bench/worlds.ts`.
 */
import { loadavg } from 'node:os'
import { type RunningServer, startServer } from '../src/index.ts'

const rounds = 12

async function timed<T>(work: () => Promise<T>): Promise<[milliseconds: number, result: T]> {
  const begun = performance.now()
  const result = await work()
  return [performance.now() - begun, result]
}

function median(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b)
  return (sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(2)
}

async function times(count: number, work: () => Promise<number>): Promise<number[]> {
  const found: number[] = []
  for (let round = 0; round < count; round += 1) found.push(await work())
  return found
}

const startAndStop = async () => {
  const [taken, server] = await timed(() => startServer({ sandbox: true }))
  await server.stop()
  return taken
}

const createAndRemove = (server: RunningServer, wanted: { forkOf?: string }) => async () => {
  const [taken, world] = await timed(() => server.createWorld(wanted))
  await world.remove()
  return taken
}

await startAndStop()
const starts = await times(rounds, startAndStop)
const server = await startServer({ sandbox: true })
await (await server.createWorld()).remove()
const fresh = await times(rounds * 3, createAndRemove(server, {}))
const forks = await times(rounds, createAndRemove(server, { forkOf: 'main' }))
const [stop] = await timed(() => server.stop())
console.log(`load ${loadavg()[0]?.toFixed(1)}; medians in ms, followed by the target`)
console.log(`startServer()  ${median(starts)}  60`)
console.log(`fresh world    ${median(fresh)}  5`)
console.log(`fork of demo   ${median(forks)}`)
console.log(`stop           ${stop.toFixed(2)}`)
