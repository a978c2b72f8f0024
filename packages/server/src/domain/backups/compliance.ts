import { isDeepStrictEqual } from 'node:util'
import { limits, states } from '@svc-admin/types'
import type { StateMachine, StoredState } from '../lifecycle.ts'
import { problem } from '../problem.ts'
import { after, stateAt } from '../state-machine.ts'
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

export const initialPolicyState = machine.initial

export function policyStateAt(stored: StoredState, now: number): string {
  return stateAt(machine, stored, now).state
}

/** The state of a policy after all schedules have been checked. */
export const activePolicyState = 'ACTIVE'

/** Returns the time when a policy became active, or undefined if it isn't active yet. */
export function activeSince(stored: StoredState, now: number): number | undefined {
  const { state, since } = stateAt(machine, stored, now)
  return state === activePolicyState ? since : undefined
}

/**
 * Returns whether a policy protects backups. A policy continues to protect backups while it is being replaced. A
 * project's first policy doesn't protect backups until the policy is active.
 */
export function protects(stored: StoredState, now: number): boolean {
  return policyStateAt(stored, now) !== initialPolicyState
}

/**
 * Returns a policy's state after a transition.
 *
 * @throws {Problem} `INVALID_STATE` if the policy's current state doesn't allow the transition.
 */
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

/**
 * Describes how a schedule violates a policy, using one phrase per violation. Returns an empty list if the schedule
 * complies.
 */
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

/** Returns the items of a policy that the schedule doesn't satisfy. */
function itemsMissing(policy: CompliancePolicyDocument, schedule: ScheduleDocument): readonly PolicyItem[] {
  const items = itemsOf(schedule)
  return objectsIn(policy.scheduledPolicyItems).filter(
    (required) => !items.some((item) => sameFrequency(item, required) && !fallsShort(item, required)),
  )
}

/**
 * Rejects schedule changes that violate the policy. A schedule that already violates the policy can still be changed if
 * the change doesn't affect the settings that violate it.
 *
 * @throws {Problem} `COMPLIANCE_POLICY_ACTIVE` if a changed setting violates the policy.
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
    detail: `The schedule does not comply with the backup compliance policy: ${short}.`,
    parameters: [itemsMissing(required, after).length > 0 ? '/policies' : '/restoreWindowDays'],
  })
}

/** Returns the policy requirements that apply to the changed settings. */
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

/**
 * Returns the time until which a policy protects a snapshot from deletion. If several policy items apply, the longest
 * retention determines the result.
 */
export function requiredUntil(items: readonly Retention[], at: number): number {
  return Math.max(at, ...items.filter((item) => lengthOf(item)).map((item) => expiryAfter(at, item)))
}

/**
 * Checks that a snapshot is retained for as long as the policy requires.
 *
 * @param pointer The location of the field that determines the expiry.
 * @throws {Problem} `COMPLIANCE_POLICY_ACTIVE` if the expiry is too early.
 */
export function requireRetainedUntil(required: number, expiresAt: number, pointer: string): void {
  if (expiresAt >= required) return
  throw problem('COMPLIANCE_POLICY_ACTIVE', {
    detail: 'The backup compliance policy requires a longer retention period.',
    parameters: [pointer],
  })
}

/**
 * Rejects expiry times in the past, because the snapshot would be removed immediately.
 *
 * @throws {Problem} `COMPLIANCE_POLICY_ACTIVE` if the expiry is in the past.
 */
export function requireFutureExpiry(expiresAt: number, now: number, pointer: string): void {
  if (expiresAt > now) return
  throw problem('COMPLIANCE_POLICY_ACTIVE', {
    detail:
      "The backup compliance policy doesn't allow snapshots to be deleted, and with this retention, the snapshot would expire immediately.",
    parameters: [pointer],
  })
}

/**
 * Returns the policy items that apply to a snapshot. Scheduled snapshots use the items with the same frequency. All
 * other snapshots use only the on-demand item.
 */
export function itemsFor(policy: CompliancePolicyDocument, frequencyType?: string): readonly PolicyItem[] {
  if (frequencyType === undefined) return policy.onDemandPolicyItem ? [policy.onDemandPolicyItem] : []
  return objectsIn(policy.scheduledPolicyItems).filter((item) => sameFrequency(item, { frequencyType }))
}

/** Changes a schedule as little as possible to make it valid and compliant with a policy. */
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

/** Raises the longest hourly retention to cover the whole restore window, if necessary. */
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

/**
 * Returns the restore window that a policy requires. If a policy requires continuous backup but doesn't specify a
 * window, the minimum window applies.
 */
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

/** Returns the first item with its retention raised to at least the second item's retention. */
function raisedItem(item: PolicyItem, other: Retention): PolicyItem {
  const { retentionUnit, retentionValue } = raisedTo(item, other)
  return {
    ...item,
    ...(retentionUnit === undefined ? {} : { retentionUnit }),
    ...(retentionValue === undefined ? {} : { retentionValue }),
  }
}

/** Raises retentions so that no item has a shorter retention than a more frequent item. */
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
