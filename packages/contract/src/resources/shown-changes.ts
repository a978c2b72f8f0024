import type { Trial } from '../check/trial.ts'
import { contrast } from '../document/contrast.ts'
import { inspect, isArray, isObject, type Json, sameJson } from '../document/json.ts'
import type { Strength } from '../document/strength.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Cell } from '../model/api.ts'
import { bodyOf, describeResponse, expectThat, isSuccess } from '../model/expect.ts'
import { type Breach, NotApplicable, Violation } from '../model/signals.ts'
import { type Attempt, type AttemptOf, shownSchemaOf } from './change-attempts.ts'
import { fieldHeadline } from './field-headline.ts'
import {
  type Compared,
  changedForever,
  type DifferentField,
  differentFields,
  excerptOf,
  missingFields,
  shownAs,
  unequalFields,
} from './resource-state.ts'
import { fieldOf } from './successful-response.ts'
import { identityOf, lookAt, pageSize, type Shown, type Subject, type View } from './views.ts'

/** These functions compare the response to a change with later reads of the resource. */

/** Returns whether the change may become visible later. For example, indexes are deleted with a delay. */
const isEventual = ({ operation }: Cell): boolean =>
  operation.area === 'Search' && operation.method === 'DELETE'

/** A change, with the responses of all views before the change. */
export interface Change {
  readonly trial: Trial
  readonly exchange: Exchange
  readonly body: Json | undefined
  /** The resource in the response to the change. The field is undefined if the response contains no resource. */
  readonly response: Json | undefined
  readonly before: ReadonlyMap<View, Shown>
  readonly subject: Subject
  readonly compared: Compared
}

const lookAtAll = async (trial: Trial, views: readonly View[], from: Subject) => {
  const seen = new Map<View, Shown>()
  let { resource } = from
  for (const view of views) {
    const shown = await lookAt(trial, view, { ...from, resource })
    if (shown) seen.set(view, shown)
    if (view.lists.length === 0) resource ??= shown?.resource
  }
  return { seen, resource }
}

export const changeOf = async (
  trial: Trial,
  views: readonly View[],
  schema: string,
  { call, parameters, body, onRefusal }: Attempt,
): Promise<Change> => {
  const { seen, resource } = await lookAtAll(trial, views, { parameters, resource: undefined })
  const exchange = await trial.send(call)
  if (!isSuccess(exchange)) throw onRefusal(describeResponse(exchange))
  const response = trial.cell.row.hasContent ? bodyOf(exchange) : undefined
  const sent = new Set(Object.keys(isObject(body) ? body : {}).map((name) => shownAs[name] ?? name))
  return {
    trial,
    exchange,
    body,
    response,
    before: seen,
    subject: { parameters, resource: response ?? resource },
    compared: { cell: trial.cell, schema, sent },
  }
}

const nameOf = ({ cell }: View): string => cell.operation.id

const breach = (
  shown: Shown,
  expected: string,
  actual: string,
  more: Pick<Breach, 'strength' | 'headline' | 'difference'> = {},
): Violation =>
  new Violation({
    expected: `${expected} in ${nameOf(shown.view)}`,
    actual,
    exchange: shown.exchange,
    headline: `Expected ${expected} in ${nameOf(shown.view)}, got ${actual}`,
    ...more,
  })

/** Describes the items of an array that another array doesn't have. */
const itemsApart = (label: string, value: Json | undefined, other: Json | undefined): string[] => {
  const items = isArray(value) ? value : []
  const apart = items.filter((item) => !isArray(other) || !other.some((one) => sameJson(one, item)))
  return apart.length === 0 ? [] : [`${label} ${inspect(apart)}`]
}

/**
 * Returns the breach if a view shows a different array than an earlier response. A resource that is an array has no
 * fields to compare.
 */
const arrayBreach = (
  [origin, earlier]: readonly [origin: string, resource: Json | undefined],
  shown: Shown,
  strength: Strength,
): Violation => {
  const headline = `${nameOf(shown.view)} doesn't return the same items as the ${origin}`
  const apart = [
    ...itemsApart('without', earlier, shown.resource),
    ...itemsApart('also with', shown.resource, earlier),
  ]
  const actual = apart.join(' and ') || inspect(shown.resource)
  return breach(shown, `only the items of the ${origin}`, actual, { headline, strength })
}

/** Returns the breach if a view shows different values than an earlier response. */
export const fieldBreach = (
  { body }: Change,
  names: readonly string[],
  [origin, earlier]: readonly [origin: string, resource: Json | undefined],
  shown: Shown,
  strength: Strength = 'stated',
): Violation => {
  if (names.includes('')) return arrayBreach([origin, earlier], shown, strength)
  const length = (name: string): number => inspect(fieldOf(earlier, name)).length
  const shortestFirst = [...names].sort((one, other) => length(one) - length(other))
  const [name = ''] = shortestFirst
  const [, sent] =
    Object.entries(isObject(body) ? body : {}).find(([one]) => (shownAs[one] ?? one) === name) ?? []
  const expected = fieldOf(earlier, name)
  const headline = fieldHeadline(shortestFirst, {
    origin: nameOf(shown.view),
    actual: fieldOf(shown.resource, name),
    expected,
    because: sent !== undefined && sameJson(sent, expected) ? 'sent' : { earlier: `the ${origin}` },
  })
  const values = contrast(excerptOf(shown.resource, names), excerptOf(earlier, names))
  return breach(shown, `the values of the ${origin}, ${values.expected},`, values.actual, {
    ...headline,
    strength,
  })
}

/**
 * Returns the fields that still differ when the view is read again. A field whose value has changed again by then
 * changes constantly, so it doesn't count.
 */
const stillDifferent = async (
  { trial, before, subject, response, compared }: Change,
  shown: Shown,
): Promise<DifferentField[]> => {
  const different = differentFields(compared, response, shown.resource)
  if (different.length === 0) return []
  const again = await lookAt(trial, shown.view, subject)
  const old = before.get(shown.view)?.resource
  return different.filter(({ name }) => {
    const [first, second] = [shown.resource, again?.resource].map((one) => inspect(fieldOf(one, name)))
    return name === '' || first === second || first === inspect(fieldOf(old, name))
  })
}

/** Expects a view to show the same resource as the response to the change. */
const expectShown = async (change: Change, shown: Shown): Promise<void> => {
  const { response, compared, before } = change
  const earlier = before.get(shown.view)?.resource
  const different = await stillDifferent(change, shown)
  const missing = missingFields(compared, response, { before: earlier, after: shown.resource })
  const names = [...new Set([...missing, ...different.map(({ name }) => name)])]
  if (names.length > 0)
    throw fieldBreach(
      change,
      names,
      [`earlier response to ${change.trial.cell.operation.id}`, response],
      shown,
      missing.length > 0 || different.some(({ strength }) => strength === 'stated') ? 'stated' : 'decided',
    )
  const lost = changedForever(compared, earlier, shown.resource)
  if (lost.length > 0)
    throw fieldBreach(change, lost, ['earlier response, before the change', earlier], shown)
}

/** Reads the last page of a list, which contains the newest item. */
const lastPage = ({ trial, subject }: Change, { view, totalCount = 0 }: Shown): Promise<Shown | undefined> =>
  lookAt(trial, view, subject, [['pageNum', String(Math.ceil(totalCount / pageSize))]])

/** Expects a list to contain the resource, unless the list never contains it or the resource is on another page. */
const expectInList = async (change: Change, shown: Shown): Promise<void> => {
  const { trial, before, subject } = change
  const isNew = trial.cell.operation.method === 'POST'
  const earlier = before.get(shown.view)
  if (!isNew && earlier?.resource === undefined) return
  if (identityOf(subject.resource) === undefined) return
  const found = shown.isPart && shown.resource === undefined ? await lastPage(change, shown) : shown
  const place = found ?? shown
  if (place.resource === undefined) throw breach(place, 'the resource from the response', 'a list without it')
  await expectShown(change, place)
  const grown = isNew && earlier?.totalCount !== undefined && trial.context.prerequisites.canSeed
  if (grown && shown.totalCount !== (earlier?.totalCount ?? 0) + 1)
    throw breach(shown, `totalCount ${(earlier?.totalCount ?? 0) + 1}`, `totalCount ${shown.totalCount}`)
}

/**
 * Expects a view to no longer show a deleted resource in its previous form. A canceled or disabled resource may still
 * be visible.
 */
const expectGone = ({ trial, before, compared }: Change, shown: Shown, isRemoved: boolean): void => {
  const earlier = before.get(shown.view)
  if (earlier === undefined || isEventual(trial.cell)) return
  if (
    earlier.resource !== undefined &&
    unequalFields(compared, earlier.resource, shown.resource).length === 0
  )
    throw breach(shown, 'a different state, or no resource', 'the unchanged resource')
  const { totalCount } = earlier
  const wasListed = earlier.resource !== undefined || earlier.isPart
  if (!isRemoved || !wasListed || totalCount === undefined || !trial.context.prerequisites.canSeed) return
  if (shown.totalCount !== totalCount - 1)
    throw breach(shown, `totalCount ${totalCount - 1}`, `totalCount ${shown.totalCount}`)
}

const expectFound = async (change: Change, shown: Shown): Promise<void> => {
  if (shown.view.lists.length > 0) return expectInList(change, shown)
  expectThat(isSuccess(shown.exchange), {
    expected: `the resource from the response in ${nameOf(shown.view)}`,
    actual: describeResponse(shown.exchange),
    exchange: shown.exchange,
  })
  await expectShown(change, shown)
}

/**
 * Changes a resource, and expects the given views to show it as in the response to the change. If the response is empty,
 * expects the views to no longer show the resource in its previous form.
 */
export const expectShownIn = async (
  trial: Trial,
  views: readonly View[],
  attemptOf: AttemptOf,
): Promise<void> => {
  const schema = shownSchemaOf(trial)
  if (views.length === 0 || schema === undefined) throw new NotApplicable('no operation reads the resource')
  const change = await changeOf(trial, views, schema, await attemptOf(trial))
  let isRemoved = false
  for (const view of views) {
    const shown = await lookAt(trial, view, change.subject)
    if (shown === undefined) continue
    if (view.lists.length === 0) isRemoved ||= shown.resource === undefined
    if (change.response === undefined) expectGone(change, shown, isRemoved)
    else await expectFound(change, shown)
  }
}
