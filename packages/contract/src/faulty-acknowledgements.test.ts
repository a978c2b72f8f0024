import type { Version } from '@svc-admin/types'
import { expect, test } from 'vitest'
import { dated, outcomeIn, seeding } from '../test/context-over.ts'
import acknowledgeAlert from './cases/alerts/acknowledgeAlert.ts'
import notifications from './cases/alerts/acknowledged-notifications.ts'
import { isObject, type JsonObject, listAt, numberAt, parseJson, stringAt } from './document/json.ts'
import { only } from './resources/successful-response.ts'

const [minute, hour] = [60, 3600]
const start = Date.parse('2026-11-26T00:00:00Z')

/** An alert with the delays of its notification targets, and the ends of its acknowledgements. Times are in seconds. */
interface Alert {
  readonly id: string
  readonly alertConfigId: string
  readonly delays: readonly number[]
  readonly ends: number[]
  acknowledgedAt: number
  shown: JsonObject
}

interface Behavior {
  /** Returns the time until which the server sends no notifications. By default, the end of the last acknowledgement. */
  readonly silentUntil?: (ends: readonly number[]) => number
  /** Returns whether a notification is sent although the alert is acknowledged. */
  readonly breaksSilence?: (acknowledgedAt: number, firstDue: number) => boolean
  /** The number of seconds after which the server stops repeating notifications. */
  readonly repeatsFor?: number
  /** Whether an event raises an alert for each configuration, or only for the first one. */
  readonly raisesAll?: boolean
  readonly acceptsTracking?: boolean
  readonly unacknowledgesOnOmission?: boolean
  readonly username?: string | undefined
  /** Whether later acknowledgements keep the comment of the first one. */
  readonly keepsFirstComment?: boolean
}

const lastOf = (ends: readonly number[]): number => ends.at(-1) ?? 0
const idOf = (number: number): string => number.toString(16).padStart(24, '0')

/** Sends a notification to each target of an alert when its delay has passed, and then every five minutes. */
const noticesAt = (time: number, alert: Alert, behavior: Behavior): JsonObject[] => {
  const { silentUntil = lastOf, breaksSilence = () => false } = behavior
  const { repeatsFor = Number.POSITIVE_INFINITY } = behavior
  const isSilent = (due: number): boolean =>
    time < silentUntil(alert.ends) && !breaksSilence(alert.acknowledgedAt, due)
  return alert.delays
    .filter((due) => time >= due && (time - due) % (5 * minute) === 0 && time <= due + repeatsFor)
    .filter((due) => !isSilent(due))
    .map(() => ({ alertId: alert.id }))
}

/** Creates a server that notifies the targets of alerts. */
const notifying = (behavior: Behavior) => {
  const { acceptsTracking = true, raisesAll = true, unacknowledgesOnOmission = true, username } = behavior
  const { keepsFirstComment = false } = behavior
  const [configs, alerts, notices]: [JsonObject[], Alert[], JsonObject[]] = [[], [], []]
  let time = 0
  const raise = (raisedType: string): string[] => {
    const due = configs.filter(({ eventTypeName }) => eventTypeName === raisedType)
    for (const config of raisesAll ? due : due.slice(0, 1))
      alerts.push({
        id: idOf(4096 + alerts.length),
        alertConfigId: String(config.id),
        delays: listAt(config, 'notifications').map((one) => (numberAt(one, 'delayMin') ?? 0) * minute),
        ends: [],
        acknowledgedAt: Number.POSITIVE_INFINITY,
        shown: {},
      })
    return alerts.map(({ id }) => id)
  }
  const acknowledge = (alert: Alert, sent: JsonObject): void => {
    const until = stringAt(sent, 'acknowledgedUntil')
    const isOver = sent.unacknowledgeAlert === true || (until === undefined && unacknowledgesOnOmission)
    if (!isOver && until === undefined) return
    alert.ends.push(isOver ? time : (Date.parse(until ?? '') - start) / 1000)
    alert.acknowledgedAt = time
    const named = username === undefined ? {} : { acknowledgingUsername: username }
    const kept = keepsFirstComment ? only(alert.shown, 'acknowledgementComment') : {}
    alert.shown = isOver ? {} : { ...sent, ...named, ...kept }
  }
  const { context } = seeding(
    ({ method, path, body }) => {
      const sent = parseJson(body ?? '')
      if (path.includes('/alertConfigs') && method === 'POST' && isObject(sent))
        configs.push({ ...sent, id: idOf(configs.length + 1) })
      if (path.includes('/alertConfigs')) return method === 'DELETE' ? [204] : [200, configs.at(-1)]
      const alert = alerts.find(({ id }) => path.includes(id))
      if (alert === undefined) return [404]
      const status = alert.delays.some((delay) => time >= delay) ? 'OPEN' : 'TRACKING'
      if (method === 'PATCH' && status === 'TRACKING' && !acceptsTracking) return [409]
      if (method === 'PATCH' && isObject(sent)) acknowledge(alert, sent)
      return [200, { id: alert.id, alertConfigId: alert.alertConfigId, status, ...alert.shown }]
    },
    {
      event: ({ active, eventTypeName }) => (active ? raise(eventTypeName) : []),
      advance: (seconds) => {
        for (const end = time + seconds; time < end; time += minute)
          for (const alert of alerts) notices.push(...noticesAt(time + minute, alert, behavior))
      },
      outbox: () => [...notices],
    },
  )
  return context
}

const outcomeOf = (
  behavior: Behavior,
  requirement: 'acknowledges' | 'stops-notifications',
  label: string,
  version?: Version,
): Promise<string> => {
  const context = notifying(behavior)
  const newest = dated('acknowledgeAlert')
  const cell = version === undefined ? newest : context.api.cell('acknowledgeAlert', version)
  const table = { ...acknowledgeAlert, ...notifications }
  return outcomeIn(context, cell ?? newest, table[`acknowledgeAlert.${requirement}`], label)
}

const first = ([one = 0]: readonly number[]): number => one
const latest = (ends: readonly number[]): number => Math.max(0, ...ends)
const limited = (ends: readonly number[]): number => (lastOf(ends) > 1000 * hour ? 0 : lastOf(ends))

const never = (ends: readonly number[]): number => (ends.length > 0 ? Number.POSITIVE_INFINITY : 0)

test.each<[string, Behavior, string, string]>([
  ['only until the first time', { silentUntil: first }, 'again with a later time', 'Violation'],
  ['until the latest time', { silentUntil: latest }, 'again with an earlier time', 'stated'],
  ['only for a limited time', { silentUntil: limited }, 'indefinitely', 'Violation'],
  ['until the last time', {}, '', 'passed'],
  ['until the last time', {}, 'again with a later time', 'passed'],
  ['until the last time', {}, 'again with an earlier time', 'passed'],
  ['until the last time', {}, 'again indefinitely', 'passed'],
  ['until it is unacknowledged', {}, 'until the alert is unacknowledged', 'passed'],
])('a server that stops notifications %s', async (_, behavior, label, expected) => {
  expect(await outcomeOf(behavior, 'stops-notifications', label)).toBe(expected)
})

test.each<[string, Behavior, string]>([
  ['that repeated them before', {}, 'stated'],
  ['that never repeats them', { repeatsFor: 0 }, 'decided'],
  ['that stops repeating them after three hours', { repeatsFor: 3 * hour }, 'decided'],
  ['that raises one alert for both configurations', { raisesAll: false }, 'decided'],
])('a server that sends no notifications after an acknowledgement, and %s', async (_, more, expected) => {
  const behavior = { ...more, silentUntil: never }
  for (const label of ['', 'until the alert is unacknowledged'])
    expect(await outcomeOf(behavior, 'stops-notifications', label)).toBe(expected)
})

test.each<[Version, string]>([
  ['v1.0', 'stated'],
  ['2023-01-01', 'decided'],
])('a server that ignores an omitted acknowledgedUntil in %s', async (version, expected) => {
  const behavior = { unacknowledgesOnOmission: false }
  const label = 'until the alert is unacknowledged'
  expect(await outcomeOf(behavior, 'stops-notifications', label, version)).toBe(expected)
})

/** Sends the first notification to a target even if the alert is acknowledged. */
const breaksSilence = (acknowledgedAt: number, firstDue: number): boolean => firstDue > acknowledgedAt

test.each<[string, Behavior, string]>([
  ['notifies delayed targets', { breaksSilence }, 'Violation'],
  ['notifies no target', {}, 'passed'],
])('after an early acknowledgement, a server %s', async (_, behavior, expected) => {
  for (const target of ['first target', 'second target', 'all targets'])
    expect(await outcomeOf(behavior, 'stops-notifications', `${target} with a delay`)).toBe(expected)
})

test('a server may reject acknowledgements of alerts that are not open', async () => {
  const behavior = { acceptsTracking: false }
  expect(await outcomeOf(behavior, 'stops-notifications', 'all targets with a delay')).toBe('Untestable')
})

test.each([
  ['a public key', 'abcdefgh', 'Violation'],
  ['no user', undefined, 'Violation'],
  ['an email address', 'oncall@lindgren.example', 'passed'],
])('a server that names %s as the user who acknowledged an alert', async (_, username, expected) => {
  for (const label of ['', 'by an API key', 'by a service account'])
    expect(await outcomeOf({ username }, 'acknowledges', label)).toBe(expected)
})

test('a server that keeps the comment of the first acknowledgement', async () => {
  const username = 'oncall@lindgren.example'
  expect(await outcomeOf({ username, keepsFirstComment: true }, 'acknowledges', '')).toBe('stated')
})
