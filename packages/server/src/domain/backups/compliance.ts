import { isDeepStrictEqual } from 'node:util'
import { limits, states } from '@svc-admin/types'
import { problem } from '../problem.ts'
import { after, type StateMachine, type StoredState, stateAt } from '../state-machine.ts'
import { objectsIn } from '../typed-fields.ts'
import type { CompliancePolicyDocument, PolicyItem, ScheduleDocument } from './backup-schemas.ts'
import { itemsOf } from './due-snapshots.ts'
import { infrequencyOf, isLessFrequent, sameFrequency } from './recurrence.ts'
import {
  expiryAfter,
  lengthOf,
  longestRetention,
  type Retention,
  raisedTo,
  retainsAsLongAs,
  retentionDaysOf,
} from './retention.ts'

const machine: StateMachine = states['compliance-policy']

/** The state of a policy that was put where there was none. */
export const initialPolicyState = machine.initial

/** The state of a policy as of now. */
export function policyStateAt(stored: StoredState, now: number): string {
  return stateAt(machine, stored, now).state
}

/** The state of a policy that every schedule was looked at for. */
export const activePolicyState = 'ACTIVE'

/** Since when a policy is active; undefined if it is not yet. */
export function activeSince(stored: StoredState, now: number): number | undefined {
  const { state, since } = stateAt(machine, stored, now)
  return state === activePolicyState ? since : undefined
}

/** A policy that is being replaced still protects; one that was just put does not yet. */
export function protects(stored: StoredState, now: number): boolean {
  return policyStateAt(stored, now) !== initialPolicyState
}

/** @throws {Problem} `INVALID_STATE` if the act does not start from the state of the policy. */
export function policyStateAfter(
  stored: StoredState,
  now: number,
  act: 'updateCompliancePolicy' | 'disableCompliancePolicy',
): string {
  const state = policyStateAt(stored, now)
  const next = after(machine, state, `operation:${act}`)
  if (next !== undefined) return next
  throw problem('INVALID_STATE', {
    detail: `The backup compliance policy cannot be changed while its state is ${state}.`,
  })
}

/** What in a schedule falls short of a policy, as sentences; nothing if it fits. */
export function shortfalls(policy: CompliancePolicyDocument, schedule: ScheduleDocument): string[] {
  return [
    ...itemsMissing(policy, schedule).map(
      (required) => `no ${nameOf(required)} meets the policy's requirements`,
    ),
    ...(windowMissing(policy, schedule) ? ['the restore window is shorter than the policy requires'] : []),
  ]
}

const nameOf = ({ frequencyType }: PolicyItem): string =>
  frequencyType === undefined ? 'policy item without a frequency' : `${frequencyType} policy item`

/** The items of a policy that no item of a schedule meets. */
function itemsMissing(policy: CompliancePolicyDocument, schedule: ScheduleDocument): readonly PolicyItem[] {
  const items = itemsOf(schedule)
  return objectsIn(policy.scheduledPolicyItems).filter(
    (required) => !items.some((item) => sameFrequency(item, required) && !fallsShort(item, required)),
  )
}

/**
 * What falls short, because the policy left it so, may stay as it is while something else is changed. What is changed is
 * set as the policy asks, or not at all.
 *
 * @throws {Problem} `COMPLIANCE_POLICY_ACTIVE` if the change sets something below the policy.
 */
export function requireNoNewShortfall(
  policy: CompliancePolicyDocument,
  before: ScheduleDocument,
  after: ScheduleDocument,
): void {
  const required = requiredOfChange(policy, before, after)
  const [short] = shortfalls(required, after)
  if (short === undefined) return
  throw problem('COMPLIANCE_POLICY_ACTIVE', {
    detail: `The schedule does not meet the backup compliance policy: ${short}.`,
    parameters: [itemsMissing(required, after).length > 0 ? '/policies' : '/restoreWindowDays'],
  })
}

/** What the policy asks of a changed schedule: nothing of what stays as it is. */
function requiredOfChange(
  policy: CompliancePolicyDocument,
  before: ScheduleDocument,
  after: ScheduleDocument,
): CompliancePolicyDocument {
  const [items, changed] = [itemsOf(before), itemsOf(after)]
  const isNew = items.length === 0 && changed.length > 0
  const scheduledPolicyItems = objectsIn(policy.scheduledPolicyItems).filter((required) => {
    const rhythmOf = (some: readonly PolicyItem[]) =>
      some
        .filter((item) => sameFrequency(item, required))
        .map((item) => [item.frequencyInterval ?? 1, lengthOf(item)])
    return isNew || !isDeepStrictEqual(rhythmOf(items), rhythmOf(changed))
  })
  const { restoreWindowDays } = after
  const stays = restoreWindowDays === before.restoreWindowDays
  return { ...policy, scheduledPolicyItems, ...(stays ? { pitEnabled: false } : {}) }
}

/** Until when a policy lets nothing of a moment expire: of several items that which keeps it longest. */
export function requiredUntil(items: readonly Retention[], at: number): number {
  return Math.max(at, ...items.filter((item) => lengthOf(item)).map((item) => expiryAfter(at, item)))
}

/**
 * @param pointer where the expiry comes from.
 * @throws {Problem} `COMPLIANCE_POLICY_ACTIVE` if it is before what the policy asks for.
 */
export function requireRetainedUntil(required: number, expiresAt: number, pointer: string): void {
  if (expiresAt >= required) return
  throw problem('COMPLIANCE_POLICY_ACTIVE', {
    detail: 'The backup compliance policy requires a longer retention.',
    parameters: [pointer],
  })
}

/**
 * An expiry that is past removes the snapshot.
 *
 * @throws {Problem} `COMPLIANCE_POLICY_ACTIVE` if it is.
 */
export function requireFutureExpiry(expiresAt: number, now: number, pointer: string): void {
  if (expiresAt > now) return
  throw problem('COMPLIANCE_POLICY_ACTIVE', {
    detail:
      "The backup compliance policy doesn't allow deleting snapshots, and this one would expire immediately.",
    parameters: [pointer],
  })
}

/** What a policy asks of a snapshot: its items of the frequency, or that for snapshots that no schedule asked for. */
export function itemsFor(policy: CompliancePolicyDocument, frequencyType?: string): readonly PolicyItem[] {
  if (frequencyType === undefined) return policy.onDemandPolicyItem ? [policy.onDemandPolicyItem] : []
  return objectsIn(policy.scheduledPolicyItems).filter((item) => sameFrequency(item, { frequencyType }))
}

/** The schedule with as much changed as it takes to fit the policy, and to break no rule by that. */
export function fittedToPolicy(
  policy: CompliancePolicyDocument,
  schedule: ScheduleDocument,
  nextId: () => string,
): ScheduleDocument {
  const scheduledPolicyItems = objectsIn(policy.scheduledPolicyItems)
  const [first] = schedule.policies
  const restoreWindowDays = windowMissing(policy, schedule)
    ? requiredWindow(policy)
    : schedule.restoreWindowDays
  const raised = scheduledPolicyItems.reduce(
    (items, required) => raise(items, required, nextId),
    itemsOf(schedule),
  )
  const policyItems = growing(spanning(raised, restoreWindowDays ?? 0))
  return {
    ...schedule,
    policies: policyItems.length === 0 ? schedule.policies : [{ id: nextId(), ...first, policyItems }],
    ...(restoreWindowDays === undefined ? {} : { restoreWindowDays }),
  }
}

/** The hourly item that keeps its snapshots longest keeps them for the whole of the restore window. */
function spanning(items: readonly PolicyItem[], windowDays: number): readonly PolicyItem[] {
  const hourly = longestRetention(items.filter((item) => infrequencyOf(item) === 0))
  if (!hourly || windowDays <= (retentionDaysOf(hourly) ?? 0)) return items
  const raised = raisedItem(hourly, { retentionUnit: 'days', retentionValue: windowDays })
  return items.map((item) => (item === hourly ? raised : item))
}

function fallsShort(item: PolicyItem, required: PolicyItem): boolean {
  return !retainsAsLongAs(item, required) || isLessFrequent(item, required)
}

function windowMissing(policy: CompliancePolicyDocument, schedule: ScheduleDocument): boolean {
  return (schedule.restoreWindowDays ?? 0) < requiredWindow(policy)
}

/** Continuous backup alone is asked for by a policy that says no window: the shortest is enough. */
function requiredWindow({ pitEnabled, restoreWindowDays }: CompliancePolicyDocument): number {
  return pitEnabled ? (restoreWindowDays ?? limits.restoreWindowDays.minimum) : 0
}

function raise(items: readonly PolicyItem[], required: PolicyItem, nextId: () => string): PolicyItem[] {
  const [own] = items.filter((item) => sameFrequency(item, required))
  if (!own) return [...items, { ...required, id: nextId() }]
  return items.map((item) => (item === own ? asOften(raisedItem(item, required), required) : item))
}

function asOften(item: PolicyItem, required: PolicyItem): PolicyItem {
  const { frequencyInterval } = required
  return isLessFrequent(item, required) && frequencyInterval !== undefined
    ? { ...item, frequencyInterval }
    : item
}

/** The item as it keeps its snapshots at least as long as another retention. */
function raisedItem(item: PolicyItem, other: Retention): PolicyItem {
  const { retentionUnit, retentionValue } = raisedTo(item, other)
  return {
    ...item,
    ...(retentionUnit === undefined ? {} : { retentionUnit }),
    ...(retentionValue === undefined ? {} : { retentionValue }),
  }
}

/** A raised item may now keep its snapshots longer than a less frequent one, which is raised with it. */
function growing(items: readonly PolicyItem[]): PolicyItem[] {
  const sorted = [...items].sort((a, b) => (infrequencyOf(a) ?? 0) - (infrequencyOf(b) ?? 0))
  let longest: PolicyItem = {}
  return sorted.map((item) => {
    if (infrequencyOf(item) === undefined) return item
    const short = (retentionDaysOf(item) ?? 0) < (retentionDaysOf(longest) ?? 0)
    const raised = short ? raisedItem(item, longest) : item
    longest = raised
    return raised
  })
}
