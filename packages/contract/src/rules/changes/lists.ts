import type { OperationId } from '@svc-admin/types'
import { always, both, onApi, onChange, onRead, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { inspect, type Json, stringAt } from '../../document/json.ts'
import type { ClusterKind } from '../../given/clusters.ts'
import { describeResponse, isSuccess } from '../../model/expect.ts'
import { NotApplicable, Untestable, Violation } from '../../model/signals.ts'
import { ownExportJob } from '../../resources/export-jobs.ts'
import { expectItemsAlike } from '../../resources/list-items.ts'
import { eachState } from '../../resources/list-states.ts'
import type { OwnCluster } from '../../resources/own-resources.ts'
import { type Compared, changedForever, differentFields, excerptOf } from '../../resources/resource-state.ts'
import { ownRestoreJob } from '../../resources/restore-jobs.ts'
import { ofEachCluster } from '../../resources/snapshots.ts'
import { identityOf, lookAt, type Shown, schemaOf, viewsOf } from '../../resources/views.ts'

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
  const laterItems = new Map(later.items.map((item) => [identityOf(item), item]))
  for (const item of others) {
    const now = laterItems.get(identityOf(item))
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
  'resources.items-read-alike': [itemsReadAlike, ...clusterItemsAlike, eachState],

  'resources.others-unchanged': othersUnchanged,
})
