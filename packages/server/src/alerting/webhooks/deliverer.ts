import { setMaxListeners } from 'node:events'
import { setImmediate as othersTurn } from 'node:timers/promises'
import type { DueDelivery } from '../../persistence/deliveries.ts'
import type { World } from '../../world/world.ts'
import { settleEverything } from '../settle.ts'
import { attempt, claim, type DeliveryOptions } from './deliver.ts'

/** Delivers the webhooks of worlds, each world's without waiting for another's. */
export interface Deliverer {
  /** Begins to send what is due in a world, and goes on until nothing is. */
  start(world: World): void
  /**
   * Sends what is due, until nothing is and nothing is on its way. Answers how many attempts that took, with those that
   * were on their way before.
   */
  deliver(world: World): Promise<number>
  /** Begins no more; resolves when nothing is on its way. */
  stop(): Promise<void>
  /** Ends what is on its way: it is tried again, as what had no answer in time. */
  abort(): void
}

export interface DelivererOptions extends DeliveryOptions {
  /** Told of what failed in the background; it is tried again. */
  readonly onError?: (error: unknown) => void
}

/** How many attempts of a world go out side by side, so that receivers that hang do not hold up the others for long. */
const maxInFlight = 100

/** What is on its way in one world. */
interface WorldQueue {
  /** What is due is taken by one at a time: who comes second knows of everything that the first took. */
  turn: Promise<unknown>
  readonly inFlight: Set<Promise<void>>
  launched: number
  beginning: Promise<void> | undefined
  again: boolean
}

/** Builds a deliverer; all that is delivered within a process goes through one. */
export function createDeliverer({ onError = () => {}, ...given }: DelivererOptions): Deliverer {
  const cutting = new AbortController()
  setMaxListeners(0, cutting.signal)
  const options: DeliveryOptions = { ...given, abort: cutting.signal }
  const lanes = new WeakMap<World, WorldQueue>()
  const tasks = new Set<Promise<void>>()
  let stopped = false

  const laneOf = (world: World): WorldQueue => {
    const lane = lanes.get(world) ?? newLane()
    lanes.set(world, lane)
    return lane
  }
  const track = (
    among: readonly Set<Promise<void>>[],
    work: Promise<void>,
    ended = () => {},
  ): Promise<void> => {
    const task = work.catch(onError).finally(() => {
      ended()
      for (const set of among) set.delete(task)
    })
    for (const set of among) set.add(task)
    return task
  }
  const launch = (world: World, lane: WorldQueue, delivery: DueDelivery): void => {
    let made = true
    const trying = attempt(world, delivery, options).then((was) => {
      made = was
    })
    lane.launched += 1
    track([lane.inFlight, tasks], trying, () => {
      if (!made) lane.launched -= 1
    })
  }
  const take = (world: World, lane: WorldQueue): Promise<number> => {
    const taken = lane.turn.then(async () => {
      while (lane.inFlight.size >= maxInFlight) await Promise.race(lane.inFlight)
      await settleEverything(world, await world.clock.now())
      const claimed = await claim(world, options, maxInFlight - lane.inFlight.size)
      for (const delivery of claimed) launch(world, lane, delivery)
      // Where attempts fail at once, as those at a forbidden address do, nobody else would be answered before the last.
      if (claimed.length > 0) await othersTurn()
      return claimed.length
    })
    lane.turn = taken.catch(() => {})
    return taken
  }
  const takeAll = async (world: World, lane: WorldQueue): Promise<void> => {
    do {
      lane.again = false
      while (!stopped && (await take(world, lane)) > 0);
    } while (lane.again && !stopped)
  }
  return {
    start: (world) => {
      if (stopped) return
      const lane = laneOf(world)
      lane.again = true
      lane.beginning ??= track([tasks], takeAll(world, lane)).finally(() => {
        lane.beginning = undefined
      })
    },
    deliver: async (world) => {
      const lane = laneOf(world)
      const before = lane.launched - lane.inFlight.size
      for (;;) {
        while ((await take(world, lane)) > 0);
        if (lane.inFlight.size === 0) return lane.launched - before
        await Promise.all(lane.inFlight)
      }
    },
    stop: async () => {
      stopped = true
      while (tasks.size > 0) await Promise.all(tasks)
    },
    abort: () => cutting.abort(),
  }
}

const newLane = (): WorldQueue => ({
  turn: Promise.resolve(),
  inFlight: new Set(),
  launched: 0,
  beginning: undefined,
  again: false,
})
