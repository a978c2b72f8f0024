import { limits } from '@svc-admin/types'
import type { Trial } from '../check/trial.ts'
import { inspect, isObject, type Json, stringAt } from '../document/json.ts'
import type { Query } from '../model/call.ts'
import { describeResponse, isSuccess } from '../model/expect.ts'
import { pageQuery } from '../model/pages.ts'
import { NotApplicable, Untestable, Violation } from '../model/signals.ts'
import { excerptOf, unequalFields } from './resource-state.ts'
import { type ItemReader, itemReadersOf, lookAt, type Shown, type Subject } from './views.ts'

/** These functions compare the items of the list under test with responses for a single resource. */

/** The maximum number of items to read, because lists can be long. */
const mostReads = 20

const kindOf = (item: Json): string =>
  [
    ...Object.keys(isObject(item) ? item : {}).sort(),
    stringAt(item, 'status'),
    stringAt(item, 'state'),
  ].join()

/**
 * Selects items to compare: first the last item and one item for each state and for each set of fields, and then the
 * remaining items. Items with the same fields in the list may differ in fields that the list wrongly omits.
 */
const itemsToCompare = (items: readonly Json[]): readonly Json[] => {
  const kinds = new Map(items.map((item) => [kindOf(item), item]))
  return [...new Set([...items.slice(-1), ...kinds.values(), ...items])].slice(0, mostReads)
}

/** Reads the list under test, and finds the given resource in it. */
const readList = async (trial: Trial, { lists }: ItemReader, subject: Subject): Promise<Shown> => {
  const query: Query = trial.cell.operation.paged ? pageQuery(1, limits.itemsPerPage.maximum) : []
  const shown = await lookAt(trial, { cell: trial.cell, lists }, subject, query)
  if (shown === undefined || !isSuccess(shown.exchange))
    throw new Untestable(`a list${shown ? ` (${describeResponse(shown.exchange)})` : ''}`)
  return shown
}

/** Expects an item to have the same values as the single resource. Reads both again if they differ. */
const expectAlike = async (
  trial: Trial,
  reader: ItemReader,
  subject: Omit<Subject, 'resource'>,
  item: Json,
): Promise<void> => {
  const compared = { cell: reader.view.cell, schema: reader.schema }
  const read = () => lookAt(trial, reader.view, { ...subject, resource: item })
  const single = await read()
  if (single === undefined) return
  if (!isSuccess(single.exchange)) {
    // The resource may have been removed since the list was read.
    const later = await readList(trial, reader, { ...subject, resource: item })
    if (later.resource === undefined) return
    throw new Violation({
      expected: `the list's item in ${reader.view.cell.operation.id}`,
      actual: describeResponse(single.exchange),
      exchange: single.exchange,
    })
  }
  if (unequalFields(compared, single.resource, item).length === 0) return
  // If the resource has changed since the list was read, the list shows the new values when it is read again.
  const list = await readList(trial, reader, { ...subject, resource: item })
  const different = unequalFields(compared, single.resource, list.resource)
  const again = await read()
  if (different.length === 0 || unequalFields(compared, single.resource, again?.resource).length > 0) return
  throw new Violation({
    expected: `an item with ${inspect(excerptOf(single.resource, different))}, as in ${reader.view.cell.operation.id}`,
    actual: inspect(excerptOf(list.resource, different)),
    exchange: list.exchange,
  })
}

/** Compares the items of the list under test with the single resources. */
export const expectItemsAlike = async (trial: Trial, subject: Subject): Promise<void> => {
  const readers = itemReadersOf(trial)
  const [first] = readers
  if (first === undefined) throw new NotApplicable('no operation returns a single item of the list')
  const { items } = await readList(trial, first, subject)
  if (items.length === 0) throw new Untestable('a list that is not empty')
  for (const reader of readers)
    for (const item of itemsToCompare(items)) await expectAlike(trial, reader, subject, item)
}

/**
 * Expects the list to show a resource with the same values as the single resource. Whether lists contain resources in
 * every state is our decision.
 *
 * @param mayLack Whether the list contains resources only in some states.
 */
export const expectListedAlike = async (
  trial: Trial,
  subject: Omit<Subject, 'resource'>,
  id: string,
  mayLack: boolean,
): Promise<void> => {
  for (const reader of itemReadersOf(trial)) {
    const list = await readList(trial, reader, { ...subject, resource: { id } })
    if (list.resource !== undefined) await expectAlike(trial, reader, subject, list.resource)
    else if (!mayLack && !list.isPart)
      throw new Violation({
        expected: `the resource ${id} in the list`,
        actual: 'a list without it',
        exchange: list.exchange,
        strength: 'decided',
      })
  }
}
