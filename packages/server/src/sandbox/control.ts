import { loadDemo } from '@svc-admin/spec'
import { endAlerts, raiseAlerts } from '../alerting/raise.ts'
import { settleEverything } from '../alerting/settle.ts'
import { webhookKind } from '../alerting/webhooks/message.ts'
import { outboxSize } from '../domain/alert.ts'
import { problem } from '../domain/problem.ts'
import { timestamp } from '../domain/timestamp.ts'
import { clusters } from '../persistence/clusters.ts'
import type { Session, Transaction } from '../persistence/database.ts'
import { type DeliveryState, deliveries } from '../persistence/deliveries.ts'
import { erase } from '../persistence/erase.ts'
import { outbox } from '../persistence/outbox.ts'
import { settings } from '../persistence/settings.ts'
import { tenants } from '../persistence/tenants.ts'
import type { ClockChange } from '../world/clock.ts'
import { createIds } from '../world/ids.ts'
import { clearTenantCaches, seekPosition, voidNonces, type World } from '../world/world.ts'
import { clockChange, moveClock, startClock } from './clock-change.ts'
import type { ControlAction } from './control-action.ts'
import { backupActions } from './control-backups.ts'
import { faultActions } from './control-faults.ts'
import { migrationActions } from './control-migrations.ts'
import { outageActions } from './control-outages.ts'
import { searchActions } from './control-search.ts'
import { stateActions } from './control-state.ts'
import { transitionActions } from './control-transitions.ts'
import { restoreAction, worldActions } from './control-worlds.ts'
import { type Fields, fieldsOf, list, maybeText, text, time } from './fields.ts'
import { defaultFixture } from './fixtures.ts'
import { seed, seedWithin } from './seed.ts'
import { insertAccessLog } from './seed-alerts.ts'
import { unseed } from './unseed.ts'

/**
 * Replaces a world's contents with a fixture. Also resets the clock, removes faults and transition modes, and restarts
 * seeded random sources. If `clock` doesn't specify a time, the clock starts at the system time.
 *
 * @throws {ControlInputError} if the fixture is invalid. If the fixture is invalid, the world remains unchanged.
 */
export async function resetTo(world: World, content: unknown, clock?: ClockChange): Promise<void> {
  // Generate the IDs of seeded resources separately, so that later IDs are the same after each reset.
  const seeded = { ...world, ids: createIds(world.random) }
  const whenReset = await world.database.transaction(async (transaction) => {
    await erase(transaction)
    await world.clock.reset(transaction)
    if (clock) await startClock(world, clock, transaction)
    const now = await world.clock.now(transaction)
    await world.sandbox?.transitions.reset(transaction)
    await seedWithin({ world: seeded, transaction, now }, content)
    return world.sandbox?.transitions.load(transaction)
  })
  whenReset?.()
  world.sandbox?.faults.clear()
  world.sandbox?.requests.clear()
  clearTenantCaches(world)
  voidNonces(world)
  seekPosition(world, world.origin)
}

const reset: ControlAction = async (world, body, { worlds }) => {
  const { clock, ...fields } = fieldsOf(body, 'The body')
  const content = worlds.fixtures.find(maybeText(fields, 'fixture') ?? defaultFixture)
  await resetTo(world, content, clock === undefined ? undefined : clockChange(fieldsOf(clock, "'clock'")))
  return {}
}

const showClock: ControlAction = (world) => clockOf(world)

async function clockOf(world: World) {
  const { now, rate } = await world.clock.read()
  return { now: new Date(now).toISOString(), rate }
}

const setClock: ControlAction = async (world, body) => {
  await moveClock(world, clockChange(fieldsOf(body, 'The body')))
  return clockOf(world)
}

const raiseEvent: ControlAction = async (world, body) => {
  const fields = fieldsOf(body, 'The body')
  const groupId = text(fields, 'groupId')
  const project = await tenants.project(world.database, groupId)
  if (!project) throw problem('RESOURCE_NOT_FOUND', { detail: `No project with the ID ${groupId} exists.` })
  const clusterName = maybeText(fields, 'clusterName')
  const event = {
    orgId: project.orgId,
    groupId,
    eventTypeName: text(fields, 'eventTypeName'),
    ...(clusterName === undefined ? {} : { clusterName }),
    fields: eventFields(fields),
  }
  const act = fields.active === false ? endAlerts : raiseAlerts
  return { alerts: await act(world, event, await world.clock.now()) }
}

function eventFields(fields: Fields): Record<string, string> {
  const entries = Object.entries(fieldsOf(fields.fields ?? {}, "'fields'"))
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

const addAccessLogs: ControlAction = async (world, body) => {
  const fields = fieldsOf(body, 'The body')
  const cluster = { groupId: text(fields, 'groupId'), clusterName: text(fields, 'clusterName') }
  if (!(await clusters.byName(world.database, cluster.groupId, cluster.clusterName))) {
    throw problem('RESOURCE_NOT_FOUND', {
      detail: `No cluster named ${cluster.clusterName} exists in the project.`,
    })
  }
  const entries = list(fields, 'entries').map((entry) => fieldsOf(entry, "An item of 'entries'"))
  const now = await world.clock.now()
  await world.database.transaction(async (transaction) => {
    for (const entry of entries) await insertAccessLog(transaction, world.ids, now, cluster, entry)
  })
  return { added: entries.length }
}

const showOutbox: ControlAction = async (world, _, { query }) => {
  const since = query('since')
  const selection = {
    since: since === undefined ? undefined : time(since, 'since'),
    groupId: query('groupId'),
  }
  await settleEverything(world, await world.clock.now())
  const entries = await outbox.list(world.database, { ...selection, limit: outboxSize })
  const notifications = entries.map(async ({ id, groupId, alertId, createdAt, document }) => {
    const shown = fieldsOf(document, 'A notification')
    const delivery = shown.typeName === webhookKind ? await deliveries.state(world.database, id) : undefined
    return {
      ...shown,
      id,
      groupId,
      alertId,
      sent: timestamp(createdAt),
      ...(delivery ? { delivery: shownDelivery(delivery) } : {}),
    }
  })
  return { notifications: await Promise.all(notifications) }
}

function shownDelivery({ outcome, attempts, dueAt, last }: DeliveryState) {
  return {
    outcome,
    attempts,
    ...(dueAt === undefined ? {} : { nextAttempt: timestamp(dueAt) }),
    ...(last === undefined ? {} : { lastAttempt: last }),
  }
}

const deliverNow: ControlAction = async (_, __, { deliver }) => ({ attempts: await deliver() })

export const healthAction = 'GET /healthz'
const resetAction = 'POST /reset'

/** All actions in the control interface, keyed by method and path. */
export const controlActions: Readonly<Record<string, ControlAction>> = {
  [resetAction]: reset,
  'POST /seed': async (world, body) => {
    await seed(world, body)
    return {}
  },
  'POST /unseed': async (world, body) => {
    await unseed(world, body)
    return {}
  },
  'GET /clock': showClock,
  'PUT /clock': setClock,
  'POST /events': raiseEvent,
  'POST /access-logs': addAccessLogs,
  'GET /outbox': showOutbox,
  'POST /outbox/deliver': deliverNow,
  ...stateActions,
  ...worldActions,
  ...transitionActions,
  ...faultActions,
  ...outageActions,
  ...migrationActions,
  ...searchActions,
  ...backupActions,
  [healthAction]: async () => ({ status: 'ok' }),
}

/** Actions that replace a world's contents, which can run at any time. */
export const replacingActions: ReadonlySet<string> = new Set([resetAction, restoreAction])

/**
 * Adds the demo organization to an empty database. The demo is added only once, so parts that were deleted don't
 * reappear. The demo isn't added to a database that already has an organization, because the public demo credentials
 * would give anyone access to the database.
 *
 * @returns false if the demo wasn't added because the database contains a different organization.
 */
export async function seedDemoOnce(world: World): Promise<boolean> {
  const isSeeded = async (session: Session) => (await settings.get(session, 'seeded')) !== undefined
  if (await isSeeded(world.database)) return true
  const now = await world.clock.now()
  const seedUnlessTaken = async (transaction: Transaction) => {
    // Another process may have started at the same time and added the demo.
    if (await isSeeded(transaction)) return true
    if (await tenants.anyOrganization(transaction)) return false
    await seedWithin({ world, transaction, now }, loadDemo())
    await settings.set(transaction, 'seeded', 'demo')
    return true
  }
  const isDemo = await world.database.exclusively(() => world.database.transaction(seedUnlessTaken))
  clearTenantCaches(world)
  return isDemo
}
