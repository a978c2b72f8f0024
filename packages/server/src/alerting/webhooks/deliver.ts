import { timestamp } from '../../domain/timestamp.ts'
import { alertConfigs } from '../../persistence/alert-configs.ts'
import {
  type Attempt,
  type DeliveryOutcome,
  type DueDelivery,
  deliveries,
} from '../../persistence/deliveries.ts'
import type { RealTime } from '../../world/clock.ts'
import type { World } from '../../world/world.ts'
import { outcomeOf, waitAfter } from './retry.ts'
import { ForbiddenAddress, type SendOptions, send } from './send.ts'
import { webhookHeaders } from './signature.ts'

/** How deliveries are made. */
export interface DeliveryOptions extends SendOptions {
  readonly realTime: RealTime
}

/** Longer than an attempt may take, so that nobody else takes it up meanwhile. */
const leaseSlack = 30_000

/** Takes so many of what is due, the oldest first, for this process alone. */
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
  /** Milliseconds until the next attempt. */
  readonly wait?: number | undefined
}

/**
 * Tries once to deliver what was taken, and keeps what that came to.
 *
 * @returns false if nobody is to be told any more: then it is given up, and not tried.
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
  const { outcome, wait, ...said } = await tryOnce(receiver, delivery, claimed.attempts, options)
  const now = await world.clock.now()
  const last: Attempt = { at: timestamp(now), ...said }
  const dueAt = outcome === 'pending' && wait !== undefined ? now + wait : undefined
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
    const verdict = outcomeOf(status)
    if (verdict === 'delivered') return { outcome: 'delivered', status }
    if (verdict === 'over') return { outcome: 'failed', status }
    return { ...retryResult(attempts, retryAfter), status }
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    // Asking again and again would let a name server answer otherwise one day.
    if (error instanceof ForbiddenAddress) return { outcome: 'failed', error: said }
    return { ...retryResult(attempts, undefined), error: said }
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
 * Address and secret as they are configured now: a secret that was changed holds for retries too. If nobody is to be told
 * any more, the reason.
 */
async function receiverOf(world: World, delivery: DueDelivery): Promise<Receiver | string> {
  const config = await alertConfigs.find(world.database, delivery.groupId, delivery.configId)
  const notification = config?.document
    .value()
    .notifications.find((one) => 'notifierId' in one && one.notifierId === delivery.notifierId)
  if (!config || !notification) return 'The notification is configured no more'
  if (!config.enabled) return 'The alert configuration is disabled'
  const url: unknown = Reflect.get(notification, 'webhookUrl')
  const secret = config.secrets[delivery.notifierId]?.webhookSecret
  return { url: String(url ?? ''), secret: typeof secret === 'string' ? secret : undefined }
}

/**
 * The attempt as it goes out. Its time is the wall's, whatever the world's clock shows: receivers refuse what is
 * not of these minutes, as replayed.
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
