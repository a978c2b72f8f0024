import type { RealTime } from '../../domain/injected.ts'
import { timestamp } from '../../domain/timestamp.ts'
import { alertConfigs } from '../../persistence/alert-configs.ts'
import {
  type Attempt,
  type DeliveryOutcome,
  type DueDelivery,
  deliveries,
} from '../../persistence/deliveries.ts'
import type { World } from '../../world/world.ts'
import type { DeliveryMonitor } from './delivery-monitor.ts'
import { outcomeOf, waitAfter } from './retry.ts'
import { ForbiddenAddress, type SendOptions, send } from './send.ts'
import { webhookHeaders } from './signature.ts'

export interface DeliveryOptions extends SendOptions {
  readonly realTime: RealTime
  readonly monitor?: DeliveryMonitor
}

/**
 * The time, in milliseconds, for which a lease remains active after the request timeout. While a lease is active, no
 * other process can claim the delivery.
 */
const leaseSlack = 30_000

/** Claims up to `limit` due deliveries for this process, oldest first. */
export async function claim(
  world: World,
  { realTime, timeout }: DeliveryOptions,
  limit: number,
): Promise<DueDelivery[]> {
  const now = await world.clock.now()
  const real = realTime()
  return world.database.transaction((transaction) =>
    deliveries.claim(transaction, { now, real, limit }, real + timeout + leaseSlack),
  )
}

interface AttemptResult {
  readonly outcome: DeliveryOutcome
  readonly status?: number
  readonly error?: string
  /** The number of milliseconds to wait before the next attempt. */
  readonly wait?: number | undefined
}

/**
 * Makes one delivery attempt and stores the result.
 *
 * @returns false if the receiver was removed or disabled, in which case the delivery is dropped without an attempt.
 */
export async function attempt(
  world: World,
  delivery: DueDelivery,
  options: DeliveryOptions,
): Promise<boolean> {
  const claimed = { id: delivery.id, attempts: delivery.attempts + 1 }
  const receiver = await receiverOf(world, delivery)
  if (typeof receiver === 'string') {
    const at = timestamp(await world.clock.now())
    await deliveries.giveUp(world.database, claimed, { at, error: receiver })
    return false
  }
  const { outcome, wait, ...result } = await tryOnce(receiver, delivery, claimed.attempts, options)
  const now = await world.clock.now()
  const last: Attempt = { at: timestamp(now), ...result }
  const dueAt = outcome === 'pending' && wait !== undefined ? now + wait : undefined
  options.monitor?.observe({
    outcome: outcome === 'pending' ? 'retry' : outcome,
    url: receiver.url,
    attempts: claimed.attempts,
    failure: result.error ?? `status ${result.status}`,
  })
  await deliveries.settle(world.database, claimed, outcome, last, dueAt)
  return true
}

async function tryOnce(
  receiver: Receiver,
  delivery: DueDelivery,
  attempts: number,
  options: DeliveryOptions,
): Promise<AttemptResult> {
  try {
    const { status, retryAfter } = await send(messageTo(receiver, delivery, options.realTime()), options)
    const outcome = outcomeOf(status)
    if (outcome === 'delivered') return { outcome: 'delivered', status }
    if (outcome === 'failed') return { outcome: 'failed', status }
    return { ...retryResult(attempts, retryAfter), status }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    // Don't retry, because the hostname could resolve to a different address later (DNS rebinding).
    if (error instanceof ForbiddenAddress) return { outcome: 'failed', error: message }
    return { ...retryResult(attempts, undefined), error: message }
  }
}

function retryResult(attempts: number, retryAfter: string | undefined): AttemptResult {
  const wait = waitAfter(attempts, retryAfter)
  return { outcome: wait === undefined ? 'failed' : 'pending', wait }
}

interface Receiver {
  readonly url: string
  readonly secret: string | undefined
}

/**
 * Returns the receiver's current URL and secret, because either may have changed since the last attempt. If the
 * receiver was removed or disabled, returns an error message instead.
 */
async function receiverOf(world: World, delivery: DueDelivery): Promise<Receiver | string> {
  const config = await alertConfigs.find(world.database, delivery.groupId, delivery.configId)
  const notification = config?.document
    .value()
    .notifications.find((one) => 'notifierId' in one && one.notifierId === delivery.notifierId)
  if (!config || !notification) return 'The notification was removed from the alert configuration'
  if (!config.enabled) return 'The alert configuration is disabled'
  const url: unknown = Reflect.get(notification, 'webhookUrl')
  const secret = config.secrets[delivery.notifierId]?.webhookSecret
  return { url: String(url ?? ''), secret: typeof secret === 'string' ? secret : undefined }
}

/**
 * Builds the request for an attempt. Receivers reject old timestamps as replays, so the timestamp is the system time
 * instead of the world's time.
 */
function messageTo({ url, secret }: Receiver, { id, body }: DueDelivery, realNow: number) {
  const parts = { id: `msg_${id}`, timestamp: Math.floor(realNow / 1000), body }
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'svc-admin-server',
    ...webhookHeaders(parts, secret),
  }
  return { url, headers, body }
}
