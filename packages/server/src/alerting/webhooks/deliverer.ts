import { setMaxListeners } from 'node:events'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { DueDelivery } from '../../persistence/deliveries.ts'
import type { World } from '../../world/world.ts'
import { settleEverything } from '../settle.ts'
import { attempt, claim, type DeliveryOptions } from './deliver.ts'

/** Delivers webhooks. The deliveries of different worlds are independent. */
export interface Deliverer {
  /** Starts sending a world's due deliveries in the background. */
  start(world: World): void
  /**
   * Sends all due deliveries and waits for the attempts to finish. Returns the number of attempts, including those that
   * were already in progress.
   */
  deliver(world: World): Promise<number>
  /** Prevents new attempts and waits for in-progress attempts to finish. */
  stop(): Promise<void>
  /** Aborts in-progress attempts. The server retries aborted attempts later, as it does for attempts that time out. */
  abort(): void
}

export interface DelivererOptions extends DeliveryOptions {
  /** Called when the background work fails. The deliverer retries the failed work later. */
  readonly onError?: (error: unknown) => void
}

/**
 * The maximum number of concurrent attempts per world. The limit is high so that slow receivers don't delay other
 * deliveries for long.
 */
const maxInFlight = 100

interface WorldQueue {
  /**
   * A promise that settles when the previous claim is complete. Claims run one at a time, so each claim sees the
   * results of all earlier claims.
   */
  turn: Promise<unknown>
  readonly inFlight: Set<Promise<void>>
  launched: number
  beginning: Promise<void> | undefined
  again: boolean
}

export function createDeliverer({ onError = () => {}, ...rest }: DelivererOptions): Deliverer {
  const aborting = new AbortController()
  setMaxListeners(0, aborting.signal)
  const options: DeliveryOptions = { ...rest, abort: aborting.signal }
  const queues = new WeakMap<World, WorldQueue>()
  const tasks = new Set<Promise<void>>()
  let stopped = false

  const queueOf = (world: World): WorldQueue => {
    const queue = queues.get(world) ?? newQueue()
    queues.set(world, queue)
    return queue
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
  const launch = (world: World, queue: WorldQueue, delivery: DueDelivery): void => {
    let attempted = true
    const trying = attempt(world, delivery, options).then((result) => {
      attempted = result
    })
    queue.launched += 1
    track([queue.inFlight, tasks], trying, () => {
      if (!attempted) queue.launched -= 1
    })
  }
  const startDue = (world: World, queue: WorldQueue): Promise<number> => {
    const started = queue.turn.then(async () => {
      while (queue.inFlight.size >= maxInFlight) await Promise.race(queue.inFlight)
      await settleEverything(world, await world.clock.now())
      const claimed = await claim(world, options, maxInFlight - queue.inFlight.size)
      for (const delivery of claimed) launch(world, queue, delivery)
      // Attempts can fail immediately, for example if an address is forbidden. Yield after each batch so that many such
      // failures don't block requests.
      if (claimed.length > 0) await yieldToEventLoop()
      return claimed.length
    })
    queue.turn = started.catch(() => {})
    return started
  }
  const startAllDue = async (world: World, queue: WorldQueue): Promise<void> => {
    do {
      queue.again = false
      while (!stopped && (await startDue(world, queue)) > 0);
    } while (queue.again && !stopped)
  }
  return {
    start: (world) => {
      if (stopped) return
      const queue = queueOf(world)
      queue.again = true
      queue.beginning ??= track([tasks], startAllDue(world, queue)).finally(() => {
        queue.beginning = undefined
      })
    },
    deliver: async (world) => {
      const queue = queueOf(world)
      const before = queue.launched - queue.inFlight.size
      for (;;) {
        while ((await startDue(world, queue)) > 0);
        if (queue.inFlight.size === 0) return queue.launched - before
        await Promise.all(queue.inFlight)
      }
    },
    stop: async () => {
      stopped = true
      while (tasks.size > 0) await Promise.all(tasks)
    },
    abort: () => aborting.abort(),
  }
}

const newQueue = (): WorldQueue => ({
  turn: Promise.resolve(),
  inFlight: new Set(),
  launched: 0,
  beginning: undefined,
  again: false,
})
