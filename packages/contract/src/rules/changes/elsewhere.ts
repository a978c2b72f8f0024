import { type OperationId, operations, versions } from '@svc-admin/types'
import {
  always,
  both,
  onApi,
  onCreate,
  onRead,
  onV1,
  type Rule,
  rules,
  withBody,
  withContent,
} from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Cell } from '../../model/api.ts'
import { bodyOf, describeResponse, expectServed, expectThat, isSuccess } from '../../model/expect.ts'
import { NotApplicable, Untestable } from '../../model/signals.ts'
import { knownOf } from '../../resources/known-values.ts'
import { ownCluster, ownProject, sendRequest, sendToNewest } from '../../resources/own-resources.ts'
import { normalized } from '../../resources/resource-state.ts'
import { expectSame, fieldOf, only } from '../../resources/successful-response.ts'
import { identityOf, lookAt, type Shown, type View, viewsOf } from '../../resources/views.ts'

/** These rules test that a change is visible in the other generation, and that it doesn't affect other projects. */

const changed = async (trial: Trial): Promise<Exchange> => {
  const exchange = await trial.try()
  if (!isSuccess(exchange)) throw new Untestable(`a valid call that succeeds (${describeResponse(exchange)})`)
  return exchange
}

/** Selects settings that exist only once in a project or cluster, such as the auditing settings. */
const onSetting = ({ operation }: Cell): true | string =>
  (['PUT', 'PATCH', 'DELETE'].includes(operation.method) && !operation.path.endsWith('}')) ||
  'not a setting of a project or a cluster'

/** Returns the operation that reads the setting changed by the operation under test. */
const readerOf = ({ context, cell }: Trial): OperationId => {
  const reader = context.api.cells.find(
    (one) =>
      onRead(one) === true &&
      one.operation.path === cell.operation.path &&
      one.version.id === cell.version.id,
  )
  if (reader === undefined) throw new NotApplicable('no operation reads the setting')
  return reader.operation.id
}

const hasFlag = (body: Json | undefined): body is JsonObject =>
  isObject(body) && Object.values(body).some((value) => typeof value === 'boolean')

const withOppositeFlags = (body: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, typeof value === 'boolean' ? !value : value]),
  )

const otherProjectUnchanged: Rule = always(
  async (trial) => {
    const { context, cell } = trial
    const reader = readerOf(trial)
    const hasCluster = cell.operation.pathParameters.includes('clusterName')
    const place = hasCluster ? await ownCluster(context) : await ownProject(context)
    const read = async () => {
      const exchange = await sendRequest(trial, place, {}, reader)
      const body: Json = isSuccess(exchange) ? bodyOf(exchange) : null
      // The time of the next snapshot changes without a request.
      const known = isArray(body) ? body : knownOf(trial, reader, body, 'links', 'nextSnapshot')
      return { exchange, shown: [exchange.response.status, known] }
    }
    const before = await read()
    const expectUnchanged = async (): Promise<void> => {
      const after = await read()
      const where = `${reader} of a different ${hasCluster ? 'cluster' : 'project'}`
      expectSame(after.exchange, `${where} to be the same as before the change,`, after.shown, before.shown)
    }
    await changed(trial)
    await expectUnchanged()
    // If a flag already has the value from the valid body, only the opposite value changes the flag.
    const { body } = await trial.good()
    if (!hasFlag(body)) return
    await trial.try({ body: withOppositeFlags(body) })
    await expectUnchanged()
  },
  { at: both(onApi, onSetting), phase: 'alone' },
)

/** Selects operations that can create several resources. A resource that is changed at the same path exists only once. */
const createsSeveral = ({ operation }: Cell): true | string =>
  !Object.values(operations).some(
    ({ method, path }) => ['PATCH', 'PUT'].includes(method) && path === operation.path,
  ) || 'the resource exists only once'

const createdApart = always(
  async (trial) => {
    const call = await trial.call()
    const [first, second] = [await trial.send(call), await trial.send(call)]
    const id = isSuccess(first) ? identityOf(bodyOf(first)) : undefined
    if (id === undefined || !isSuccess(second))
      throw new NotApplicable('the same request cannot create two resources')
    expectThat(identityOf(bodyOf(second)) !== id, {
      expected: 'a different ID than in the earlier response to the same request',
      actual: id,
      exchange: second,
    })
  },
  { at: both(onApi, onCreate, withContent, createsSeveral), phase: 'write' },
)

type Parameters = Readonly<Record<string, string>>

const newest = versions[versions.length - 1]?.id ?? 'v1.0'

/** Expects that the newest version shows a resource from v1.0, both by itself and in lists. */
const expectFound = ({ view, exchange, resource }: Shown, id: string): void => {
  const { operation, version } = view.cell
  expectThat(resource !== undefined, {
    expected: `the created resource ${id} in ${operation.id} of version ${version.id}`,
    actual: view.lists.length > 0 ? 'a list without it' : describeResponse(exchange),
    exchange,
  })
}

const bothGenerations = always(
  async (trial) => {
    const { context, cell } = trial
    const later = context.api.cell(cell.operation.id, newest)
    const views = later ? viewsOf({ context, cell: later }) : []
    const { parameters } = await trial.good()
    const resource = bodyOf(await changed(trial))
    const id = identityOf(resource)
    if (id === undefined) throw new NotApplicable('the created resource has no ID')
    let isCompared = false
    for (const view of views) {
      const shown = await lookAt(trial, view, { parameters, resource })
      if (shown === undefined || shown.isPart) continue
      expectFound(shown, id)
      isCompared = true
    }
    if (!isCompared) throw new NotApplicable('v2 does not show the resource')
  },
  { at: both(onV1, onCreate, withContent), phase: 'alone' },
)

/** Expects a version to show the values that were set through another version. */
const expectShows = async (
  trial: Trial,
  view: View,
  parameters: Parameters,
  sent: Json,
): Promise<boolean> => {
  const shown = await lookAt(trial, view, { parameters, resource: undefined })
  if (shown === undefined || !isObject(sent)) return false
  const names = Object.keys(sent).filter(
    (name) => !isObject(sent[name]) && !isArray(sent[name]) && fieldOf(shown.resource, name) !== undefined,
  )
  const [actual, expected] = [only(shown.resource, ...names), only(sent, ...names)].map(normalized)
  const { operation, version } = view.cell
  expectSame(shown.exchange, `in ${operation.id} of version ${version.id}:`, actual, expected)
  return names.length > 0
}

/** Changes a setting through each generation and reads it through the other generation. */
const settingInBoth = always(
  async (trial) => {
    const { context, cell } = trial
    const later = context.api.cell(cell.operation.id, newest)
    if (later === undefined) throw new NotApplicable('the operation is not in v2')
    const single = (one: Cell) => viewsOf({ context, cell: one }).find(({ lists }) => lists.length === 0)
    const [here, there] = [single(cell), single(later)]
    const { parameters, body = {} } = await trial.good()
    if (here === undefined || there === undefined || !isObject(body))
      throw new NotApplicable('the setting has no fields that can be compared')
    expectServed(await trial.try())
    const isCompared = await expectShows(trial, there, parameters, body)
    if (!isCompared) throw new NotApplicable('v2 does not show the values')
    const place = { parameters, as: 'any allowed caller' } as const
    const opposite = withOppositeFlags(body)
    const exchange = await sendToNewest(trial, place, cell.operation.id, { body: opposite })
    if (hasFlag(body) && isSuccess(exchange)) await expectShows(trial, here, parameters, opposite)
  },
  { at: both(onV1, onSetting, withBody), phase: 'alone', label: 'setting' },
)

export default rules({
  'resources.other-projects-unchanged': otherProjectUnchanged,

  'resources.created-apart': createdApart,

  'resources.both-generations': [bothGenerations, settingInBoth],
})
