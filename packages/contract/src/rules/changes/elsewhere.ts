import { versions } from '@svc-admin/types'
import { always, both, onApi, onV1, type Rule, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { isArray, isObject, type Json } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Cell } from '../../model/api.ts'
import { bodyOf, describeResponse, expectThat, isSuccess } from '../../model/expect.ts'
import { NotApplicable, Untestable } from '../../model/signals.ts'
import { knownOf } from '../../resources/known-values.ts'
import { ownCluster, ownProject, sendRequest } from '../../resources/own-resources.ts'
import { differentFields, excerptOf, shownAs } from '../../resources/resource-state.ts'
import { fieldOf } from '../../resources/successful-response.ts'
import {
  identityOf,
  lookAt,
  parametersFor,
  type Shown,
  schemaOf,
  type View,
  viewsOf,
} from '../../resources/views.ts'

// A change must show in the other generation, and must not show in other projects.

const changes = ({ operation }: Cell): true | string =>
  operation.method !== 'GET' || 'the operation changes nothing'

const creates = ({ operation }: Cell): true | string =>
  operation.method === 'POST' || 'the operation creates nothing'

const changed = async (trial: Trial): Promise<Exchange> => {
  const exchange = await trial.try()
  if (!isSuccess(exchange)) throw new Untestable(`a valid call that succeeds (${describeResponse(exchange)})`)
  return exchange
}

/** A project or a cluster has one resource of each of these kinds, such as its auditing settings. */
const settings = (cell: Cell): true | string =>
  ['PUT', 'PATCH', 'DELETE'].includes(cell.operation.method) && !cell.operation.path.endsWith('}')
    ? changes(cell)
    : 'not a setting of a project or a cluster'

/** The operation that reads what the cell's operation changes. */
const readerOf = ({ context, cell }: Trial): Cell => {
  const { path } = cell.operation
  const reader = context.api.cells.find(
    ({ operation, version }) =>
      operation.method === 'GET' && operation.path === path && version.id === cell.version.id,
  )
  if (reader === undefined) throw new NotApplicable('no operation reads the setting')
  return reader
}

const otherProjectUnchanged: Rule = always(
  async (trial) => {
    const { context, cell } = trial
    const { id } = readerOf(trial).operation
    const hasCluster = cell.operation.pathParameters.includes('clusterName')
    const place = hasCluster ? await ownCluster(context) : await ownProject(context)
    const read = async () => {
      const exchange = await sendRequest(trial, place, {}, id)
      const body: Json = isSuccess(exchange) ? bodyOf(exchange) : null
      // The next snapshot's time changes on its own.
      const known = isArray(body) ? body : knownOf(trial, id, body, 'links', 'nextSnapshot')
      return { exchange, shown: `${exchange.response.status} ${JSON.stringify(known)}` }
    }
    const before = await read()
    await changed(trial)
    const after = await read()
    expectThat(after.shown === before.shown, {
      expected: `${before.shown} from ${id} of another ${hasCluster ? 'cluster' : 'project'}, as before the change`,
      actual: after.shown,
      exchange: after.exchange,
    })
  },
  { at: both(onApi, settings), phase: 'alone' },
)

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
  {
    at: both(onApi, creates, ({ row }) => row.hasContent || 'the response has no body'),
    phase: 'write',
  },
)

/** The operation that creates what the cell's operation changes. */
const creatorOf = ({ context, cell }: Trial): { creator: Cell; schema: string } => {
  const reader = viewsOf({ context, cell }).find(({ lists }) => lists.length === 0)
  const schema = schemaOf(cell) ?? (reader && schemaOf(reader.cell))
  const creator = context.api.cells.find(
    (one) =>
      creates(one) === true &&
      one.version.id === cell.version.id &&
      schema !== undefined &&
      schemaOf(one) === schema,
  )
  if (creator === undefined || schema === undefined)
    throw new NotApplicable('no operation creates the resource')
  return { creator, schema }
}

/** The path parameters in a request's path. */
const valuesIn = ({ operation }: Cell, path: string): Record<string, string> => {
  const segments = path.replace(/\?.*$/, '').split('/').reverse()
  const template = operation.path.split('/').reverse()
  return Object.fromEntries(
    template.flatMap((segment, at): [string, string][] => {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1]
      return name === undefined ? [] : [[name, decodeURIComponent(segments[at] ?? '')]]
    }),
  )
}

/** The body with booleans that differ from the resource, so that the request changes something. */
const unlike = (body: Json, resource: Json | undefined): Json => {
  if (typeof body === 'boolean' && typeof resource === 'boolean') return !resource
  if (!isObject(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      unlike(value, fieldOf(resource, shownAs[name] ?? name)),
    ]),
  )
}

/** Most checks change resources that the sandbox created. An implementation might keep those from requests elsewhere. */
const createdThenChanged = always(
  async (trial) => {
    const { cell } = trial
    const { creator, schema } = creatorOf(trial)
    const call = await trial.callOf(creator.operation.id)
    const created = await trial.send(call)
    if (!isSuccess(created)) throw new Untestable(`a resource to change (${describeResponse(created)})`)
    const resource = bodyOf(created)
    const parameters = parametersFor({ cell, lists: [] }, valuesIn(creator, call.path), resource)
    if (parameters === undefined) throw new NotApplicable('the path does not identify the resource')
    const { body } = await trial.good()
    const [plain, other] = [
      await trial.call({ parameters }),
      ...(body === undefined ? [] : [await trial.call({ parameters, body: unlike(body, resource) })]),
    ]
    const first = await trial.send(other ?? plain)
    // Another value can contradict other fields.
    const exchange = isSuccess(first) || other === undefined ? first : await trial.send(plain)
    if (!isSuccess(exchange))
      throw new NotApplicable(`a new resource can't be changed yet (${describeResponse(exchange)})`)
    const response = bodyOf(exchange)
    for (const view of viewsOf(trial)) {
      const shown = await lookAt(trial, view, { parameters, resource: response })
      if (shown?.resource === undefined) continue
      const compared = { cell, schema, sent: new Set<string>() }
      const names = differentFields(compared, response, shown.resource)
        .filter(({ strength }) => strength === 'stated')
        .map(({ name }) => name)
      expectThat(names.length === 0, {
        expected: `${JSON.stringify(excerptOf(response, names))} in ${view.cell.operation.id}, as in the response to the change`,
        actual: JSON.stringify(excerptOf(shown.resource, names) ?? null),
        exchange: shown.exchange,
      })
    }
  },
  {
    at: both(
      onApi,
      changes,
      (cell) => creates(cell) !== true || 'the operation creates',
      ({ row }) => row.hasContent || 'the response has no body',
    ),
    phase: 'alone',
  },
)

const newest = versions[versions.length - 1]?.id ?? 'v1.0'

const namesOf = ({ view }: Shown): string => `${view.cell.operation.id} of version ${view.cell.version.id}`

/** Expects a resource that v1.0 created to be found alone and in lists of the newest version. */
const expectFound = (shown: Shown, id: string): void => {
  if (shown.isPart) return
  expectThat(shown.resource !== undefined, {
    expected: `the created resource ${id} in ${namesOf(shown)}`,
    actual: shown.view.lists.length > 0 ? 'a list without it' : describeResponse(shown.exchange),
    exchange: shown.exchange,
  })
}

const bothGenerations = always(
  async (trial) => {
    const { context, cell } = trial
    const later = context.api.cell(cell.operation.id, newest)
    const views = later ? viewsOf({ context, cell: later }) : []
    if (views.length === 0) throw new NotApplicable('v2 does not show the resource')
    const { parameters } = await trial.good()
    const exchange = await changed(trial)
    const resource = cell.row.hasContent ? bodyOf(exchange) : undefined
    const id = identityOf(resource)
    const look = (view: View) => lookAt(trial, view, { parameters, resource })
    for (const view of views) {
      const shown = await look(view)
      if (shown === undefined || id === undefined) continue
      expectFound(shown, id)
    }
  },
  {
    at: both(
      onV1,
      changes,
      ({ operation }) => operation.method === 'POST' || 'the operation creates nothing',
    ),
    phase: 'alone',
  },
)

export default rules({
  /** After a change to a resource that a request created, reads show the resource as the response does. */
  'resources.created-change-shows': createdThenChanged,

  /** A change to a setting leaves the same setting of other projects and clusters as it was. */
  'resources.other-projects-unchanged': otherProjectUnchanged,

  /** Each request that creates something creates a new resource, even if the same request was sent before. */
  'resources.created-apart': createdApart,

  /** The other generation shows a resource that was created in v1.0. */
  'resources.both-generations': bothGenerations,
})
