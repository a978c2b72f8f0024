import type { OperationId } from '@svc-admin/types'
import { always, both, onApi, onChange, onRead, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { inspect, isObject, type Json, stringAt } from '../../document/json.ts'
import type { ClusterKind } from '../../given/clusters.ts'
import { describeResponse, expectThat, isSuccess } from '../../model/expect.ts'
import { NotApplicable, Untestable, Violation } from '../../model/signals.ts'
import { endedJobsListed, ownExportJob } from '../../resources/export-jobs.ts'
import type { OwnCluster } from '../../resources/own-resources.ts'
import { type Compared, changedForever, differentFields, excerptOf } from '../../resources/resource-state.ts'
import { ownRestoreJob } from '../../resources/restore-jobs.ts'
import { ofEachCluster } from '../../resources/snapshots.ts'
import {
  type ItemReader,
  identityOf,
  itemReadersOf,
  lookAt,
  type Shown,
  type Subject,
  schemaOf,
  viewsOf,
} from '../../resources/views.ts'

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

/** Reads the list under test and returns one of its items. */
const readList = async (trial: Trial, { lists }: ItemReader, subject: Subject): Promise<Shown> => {
  const shown = await lookAt(trial, { cell: trial.cell, lists }, subject)
  if (shown === undefined || !isSuccess(shown.exchange))
    throw new Untestable(`a list${shown ? ` (${describeResponse(shown.exchange)})` : ''}`)
  return shown
}

const expectAlike = async (trial: Trial, reader: ItemReader, subject: Subject, item: Json): Promise<void> => {
  const compared = { cell: reader.view.cell, schema: reader.schema, sent: new Set<string>() }
  const read = () => lookAt(trial, reader.view, { ...subject, resource: item })
  const single = await read()
  if (single === undefined) return
  expectThat(isSuccess(single.exchange), {
    expected: `the list's item in ${reader.view.cell.operation.id}`,
    actual: describeResponse(single.exchange),
    exchange: single.exchange,
  })
  if (differentFields(compared, single.resource, item).length === 0) return
  // If the resource has changed since the list was read, the list shows the new values when it is read again.
  const list = await readList(trial, reader, { ...subject, resource: item })
  const different = differentFields(compared, single.resource, list.resource).map(({ name }) => name)
  const again = await read()
  if (different.length === 0 || differentFields(compared, single.resource, again?.resource).length > 0) return
  throw new Violation({
    expected: `an item with ${inspect(excerptOf(single.resource, different))}, as in ${reader.view.cell.operation.id}`,
    actual: inspect(excerptOf(list.resource, different)),
    exchange: list.exchange,
  })
}

const expectItemsAlike = async (trial: Trial, subject: Subject): Promise<void> => {
  const readers = itemReadersOf(trial)
  const [first] = readers
  if (first === undefined) throw new NotApplicable('no operation returns a single item of the list')
  const { items } = await readList(trial, first, subject)
  if (items.length === 0) throw new Untestable('a list that is not empty')
  for (const reader of readers)
    for (const item of itemsToCompare(items)) await expectAlike(trial, reader, subject, item)
}

const itemsReadAlike = always(
  async (trial) => {
    const { parameters } = await trial.good()
    await expectItemsAlike(trial, { parameters, resource: undefined })
  },
  { at: both(onApi, onRead), phase: 'read' },
)

/** Creates a resource in a new cluster of the given kind. */
type Arrange = (trial: Trial, kind: ClusterKind) => Promise<OwnCluster>

/** These lists contain resources of all kinds of clusters, whose fields may differ. */
const clusterLists: Readonly<Partial<Record<OperationId, Arrange>>> = {
  listExportJobs: ownExportJob,
  listRestoreJobs: (trial, kind) => ownRestoreJob(trial, 'automated', kind),
}

/** Compares an item of each kind of cluster, because the target's own list may contain only one kind. */
const clusterItemsAlike = ofEachCluster(
  async (trial, kind) => {
    const arrange = clusterLists[trial.cell.operation.id]
    if (arrange === undefined) throw new NotApplicable('the list contains one kind of resource')
    const { parameters, as } = await arrange(trial, kind)
    const caller = as === 'any allowed caller' ? {} : { as }
    await expectItemsAlike(trial, { parameters, resource: undefined, ...caller })
  },
  {
    at: ({ operation }) => clusterLists[operation.id] !== undefined || 'not a list of jobs',
    label: 'new cluster',
  },
)

/**
 * Returns whether an item is the resource that the request changes. The path contains the resource's ID or its name.
 */
const isNamed = (item: Json, parameters: Readonly<Record<string, string>>): boolean => {
  const { indexName, databaseName, collectionName } = parameters
  const id = identityOf(item)
  if (id !== undefined && Object.values(parameters).includes(id)) return true
  return (
    indexName !== undefined &&
    stringAt(item, 'name') === indexName &&
    stringAt(item, 'database') === databaseName &&
    stringAt(item, 'collectionName') === collectionName
  )
}

/** Returns whether an item is an index that is being deleted. Lists may contain a deleted index for a while. */
const isVanishing = (item: Json): boolean => stringAt(item, 'status') === 'DELETING'

/**
 * Expects the later list to contain all items that the request didn't change, with the same values. Unless the target
 * is a sandbox, other clients may delete or change items, so the check compares only values that never change.
 */
const expectOthers = (
  compared: Compared,
  others: readonly Json[],
  later: Shown,
  isSandbox: boolean,
): void => {
  for (const item of others) {
    const now = later.items.find((one) => identityOf(one) === identityOf(item))
    const where = `in ${later.view.cell.operation.id}`
    if (now === undefined && (later.isPart || !isSandbox)) continue
    if (now === undefined)
      throw new Violation({
        expected: `the other resource ${inspect(identityOf(item))} ${where}, the same as before the change`,
        actual: 'a list without it',
        exchange: later.exchange,
      })
    const names = [
      ...(isSandbox ? differentFields(compared, item, now).map(({ name }) => name) : []),
      ...changedForever(compared, item, now),
    ]
    if (names.length > 0)
      throw new Violation({
        expected: `${inspect(excerptOf(item, names))} in the other resource ${where}, the same as before the change`,
        actual: inspect(excerptOf(now, names)),
        exchange: later.exchange,
      })
  }
}

const othersUnchanged = always(
  async (trial) => {
    const lists = viewsOf(trial).filter((view) => view.lists.length > 0)
    const [list] = lists
    if (list === undefined) throw new NotApplicable('no list contains the resource')
    const { parameters } = await trial.good()
    const views = viewsOf(trial).filter((view) => view.lists.length === 0)
    const schema = schemaOf(trial.cell) ?? (views[0] && schemaOf(views[0].cell)) ?? ''
    const compared = { cell: trial.cell, schema, sent: new Set<string>() }
    const subject = { parameters, resource: undefined }
    const before = await lookAt(trial, list, subject)
    const exchange = await trial.try()
    if (!isSuccess(exchange))
      throw new Untestable(`a valid call that succeeds (${describeResponse(exchange)})`)
    const after = await lookAt(trial, list, subject)
    const others = (before?.items ?? []).filter(
      (item) => identityOf(item) !== undefined && !isNamed(item, parameters) && !isVanishing(item),
    )
    if (others.length === 0 || after === undefined) throw new NotApplicable('the list has no other resource')
    expectOthers(compared, others, after, trial.context.prerequisites.canSeed)
  },
  { at: both(onApi, onChange), phase: 'alone' },
)

export default rules({
  'resources.items-read-alike': [itemsReadAlike, ...clusterItemsAlike, endedJobsListed],

  'resources.others-unchanged': othersUnchanged,
})
