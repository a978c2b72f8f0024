/**
 * With these mutants, the server meets a requirement only in some cases, such as for the first resource or the usual
 * value.
 */
import { type OperationRow, operations } from '@svc-admin/types'
import {
  isArray,
  isObject,
  type Json,
  listAt,
  numberAt,
  parseJson,
  stringAt,
} from '../../src/document/json.ts'
import { type Mutation, mutationsOf } from '../../src/document/mutations.ts'
import { boundByMoreThanSchema } from '../../src/given/given.ts'
import type { Cell } from '../../src/model/api.ts'
import { visibleIn } from '../../src/resources/stored.ts'
import {
  errorResponse,
  insteadOf,
  isSuccess,
  type Mutant,
  type MutantInput,
  mapJson,
  type Operator,
  onResponse,
  perCell,
  queryOf,
  withHeader,
  withQuery,
} from '../mutant.ts'
import type { Forward, ProxiedRequest, Response } from '../proxy.ts'
import { fields } from './state-alert-lists.ts'
import { type Body, breaking, changedResponse, sentIn, type Ways } from './ways.ts'

/** Returns successful responses as plain JSON if the query parameter is true. */
const plainJsonWith = (parameter: string) =>
  onResponse(
    (response, request) => isSuccess(response) && queryOf(request).get(parameter) === 'true',
    (response) => withHeader(response, 'Content-Type', 'application/json'),
  )

const idsOf = (isWanted: (operation: OperationRow) => boolean): readonly string[] =>
  Object.values<OperationRow>(operations)
    .filter(isWanted)
    .map(({ id }) => id)

const reads = idsOf(({ method }) => method === 'GET')
const paged = idsOf((operation) => operation.paged)
const inCluster = idsOf(
  ({ method, path }) => method === 'GET' && /\/clusters\/\{clusterName\}\/.*\{\w+Id\}$/.test(path),
)

const pathOf = ({ path }: ProxiedRequest): string => path.replace(/\?.*$/, '')

const isRead = ({ method }: ProxiedRequest): boolean => method === 'GET'

/** Returns a GET request with another request's credentials. */
const asRead = ({ headers }: ProxiedRequest, path: string): ProxiedRequest => ({
  method: 'GET',
  path,
  body: undefined,
  headers: headers.filter(([name]) => !/^content-type$/i.test(name)),
})

const read = async (request: ProxiedRequest, forward: Forward, path: string): Promise<Json | undefined> => {
  const response = await forward(asRead(request, path))
  return isSuccess(response) ? parseJson(response.body) : undefined
}

const itemsMapped = (response: Response, change: (item: Json) => Json): Response =>
  fields(response, (body) => ({ ...body, results: listAt(body, 'results').map(change) }))

const itemsFiltered = (response: Response, isKept: (item: Json) => boolean): Response =>
  fields(response, (body) => ({ ...body, results: listAt(body, 'results').filter(isKept) }))

const namesIn = (text: string | undefined): (string | undefined)[] => {
  const body = parseJson(text ?? '')
  const analyzers = isArray(body) ? body : listAt(body, 'analyzers')
  return analyzers.map((one) => stringAt(one, 'name'))
}

/**
 * Snapshots of the same schedule expire at different times, because the new retention period applies only to the first
 * snapshot.
 */
const retainsFirst: Mutant['make'] = () => {
  const before = new Map<string, Json>()
  const first = new Map<string, string>()
  const updated = new Set<string>()
  return async (request, forward) => {
    const response = await forward(request)
    const [, cluster = '', id] =
      /^(.*\/clusters\/[^/]+)\/backup\/(?:snapshots\/(\w+)|schedule)$/.exec(pathOf(request)) ?? []
    if (!isSuccess(response)) return response
    if (request.method === 'PATCH' && sentIn(request).updateSnapshots === true) updated.add(cluster)
    if (id === undefined || !isRead(request)) return response
    if (!first.has(cluster)) first.set(cluster, id)
    if (!updated.has(cluster)) before.set(id, parseJson(response.body) ?? null)
    const old = before.get(id)
    return updated.has(cluster) && first.get(cluster) !== id && old !== undefined
      ? mapJson(response, () => old)
      : response
  }
}

/** Changes requests that update an existing policy, but not the request that creates a project's first policy. */
const onLaterPolicy =
  (change: (request: ProxiedRequest, earlier: Body) => ProxiedRequest): Mutant['make'] =>
  () =>
  async (request, forward) => {
    const earlier = await read(request, forward, pathOf(request))
    return forward(isObject(earlier) ? change(request, earlier) : request)
  }

const backups: Ways = {
  'takeSnapshot.again-when-completed': [
    {
      what: 'a failed one blocks the next',
      make: () => () => async (request, forward) => {
        const listed = await read(request, forward, pathOf(request))
        const isBlocked = listAt(listed ?? null, 'results').some(
          (one) => stringAt(one, 'status') === 'failed',
        )
        return isBlocked ? errorResponse(409, 'SNAPSHOT_IN_PROGRESS', 'Conflict') : forward(request)
      },
    },
  ],
  'cancelRestoreJob.cancels': [
    {
      ...changedResponse(
        'not of a download',
        (body) => ({ ...body, cancelled: false }),
        ({ deliveryType }) => deliveryType === 'download',
      ),
      reach: 'path',
    },
  ],
  'updateBackupSchedule.update-snapshots': [
    { what: 'only of the first snapshot', make: () => retainsFirst, reach: 'generation' },
  ],
  'updateCompliancePolicy.overwrite-false-leaves': [
    {
      what: 'only with the first policy',
      make: () =>
        onLaterPolicy((request) =>
          withQuery(request, (query) => query.set('overwriteBackupPolicies', 'true')),
        ),
    },
  ],
  'updateCompliancePolicy.replaces': [
    {
      what: 'only in the first policy',
      make: () =>
        onLaterPolicy((request, { pitEnabled = false }) => ({
          ...request,
          body: JSON.stringify({ pitEnabled, ...sentIn(request) }),
        })),
    },
  ],
}

const alerts: Ways = {
  'listAlertConfigsByAlert.lists-the-configuration': [
    {
      what: 'not for a closed alert',
      make: () => () => async (request, forward) => {
        const alert = await read(request, forward, pathOf(request).replace(/\/alertConfigs$/, ''))
        const response = await forward(request)
        return stringAt(alert, 'status') === 'CLOSED' ? itemsFiltered(response, () => false) : response
      },
    },
  ],
  'listAlertsByAlertConfig.open-only': [
    {
      what: 'without acknowledged ones',
      make: () =>
        onResponse(isSuccess, (response) =>
          itemsFiltered(response, (alert) => stringAt(alert, 'acknowledgedUntil') === undefined),
        ),
    },
    {
      what: 'without those before an update of the configuration',
      reach: 'generation',
      make: () => () => {
        const updated = new Set<string>()
        return async (request, forward) => {
          const response = await forward(request)
          if (request.method === 'PUT' && isSuccess(response)) updated.add(pathOf(request))
          const config = pathOf(request).replace(/\/alerts$/, '')
          return isRead(request) && config !== pathOf(request) && updated.has(config)
            ? itemsFiltered(response, () => false)
            : response
        }
      },
    },
  ],
}

const others: Ways = {
  'updateSearchAnalyzers.replaces-all': [
    {
      what: 'not by an empty array',
      make: () => () => async (request, forward) => {
        if (request.body !== '[]') return forward(request)
        return { ...(await forward(asRead(request, request.path))), body: '[]' }
      },
    },
  ],
  'updateSearchAnalyzers.name-unique': [
    {
      what: 'only if adjacent',
      make: () =>
        onResponse(
          ({ status }, { body }) =>
            status === 409 && namesIn(body).every((name, index, names) => name !== names[index + 1]),
          (response, { body = '' }) => ({ ...response, status: 200, body }),
        ),
    },
  ],
  'issueToken.limited-carries-retry-after': [
    {
      what: 'not in an envelope',
      make: () =>
        onResponse(
          ({ status }, request) => status === 429 && queryOf(request).get('envelope') === 'true',
          (response) => withHeader(response, 'Retry-After', undefined),
        ),
    },
  ],
  'paging.number-selects': [
    {
      what: 'page 3 is page 2',
      at: ['listAlertConfigs'],
      make: () => () => (request, forward) =>
        forward(withQuery(request, (query) => query.get('pageNum') === '3' && query.set('pageNum', '2'))),
    },
  ],
  'resources.links-array': [
    {
      what: 'not in an empty list',
      at: paged,
      make: () =>
        onResponse(isSuccess, (response) =>
          fields(response, ({ links, ...rest }) =>
            links === undefined || listAt(rest, 'results').length > 0
              ? { ...rest, ...(links && { links }) }
              : rest,
          ),
        ),
    },
  ],
  'versions.own-date-served': [
    {
      what: 'not in an envelope',
      at: reads,
      make: () => plainJsonWith('envelope'),
    },
  ],
  'versions.dated-media-type': [
    {
      what: 'not in indented responses',
      at: reads,
      make: () => plainJsonWith('pretty'),
    },
  ],
  'resources.removed-refused': [
    {
      what: 'still toggled if toggled before',
      at: ['deleteAlertConfig'],
      reach: 'generation',
      make: () => () => {
        const toggled = new Map<string, Response>()
        return async (request, forward) => {
          const response = await forward(request)
          if (request.method !== 'PATCH') return response
          if (isSuccess(response)) toggled.set(pathOf(request), response)
          return toggled.get(pathOf(request)) ?? response
        }
      },
    },
  ],
  'resources.items-read-alike': [
    {
      what: 'the state stays as at creation',
      at: ['listExportJobs'],
      reach: 'generation',
      make: () => () => {
        const created = new Set<string>()
        return async (request, forward) => {
          const response = await forward(request)
          if (!isSuccess(response) || !/\/backup\/exports$/.test(pathOf(request))) return response
          if (request.method === 'POST') created.add(stringAt(parseJson(response.body), 'id') ?? '')
          return isRead(request)
            ? itemsMapped(response, (job) =>
                isObject(job) && created.has(stringAt(job, 'id') ?? '') ? { ...job, state: 'Queued' } : job,
              )
            : response
        }
      },
    },
  ],
  'identifiers.other-cluster-refused': [
    {
      what: 'served',
      at: inCluster,
      make: (cell) =>
        insteadOf(
          ({ status }, { path }) => status === 404 && /\/clusters\/(?!nothing-)/.test(path),
          (request, tools) => tools.good(request, cell),
        ),
    },
  ],
  'bodies.read-only-ignored': [
    {
      what: 'only one of them',
      at: ['updateAlertConfig'],
      make: () => () => (request, forward) => {
        const { created, updated } = sentIn(request)
        return created !== undefined && updated !== undefined
          ? Promise.resolve(errorResponse(400, 'VALIDATION_ERROR', 'Bad Request'))
          : forward(request)
      },
    },
  ],
}

/** Makes one generation return wrong values for a setting, or ignore changes that are made in the other generation. */
const generations: Ways = {
  'resources.both-generations': [
    {
      what: 'v2 does not show the change',
      at: ['updateCustomDns'],
      reach: 'other generation',
      make: () =>
        onResponse(
          (response, request) => isRead(request) && isSuccess(response),
          (response) => fields(response, (body) => ({ ...body, enabled: body.enabled !== true })),
        ),
    },
    {
      what: 'v1.0 does not show the change in v2',
      at: ['updateCustomDns'],
      reach: 'path',
      make: () => () => {
        const set = new Map<string, Json>()
        return async (request, forward) => {
          const response = await forward(request)
          if (!isSuccess(response)) return response
          if (!isRead(request)) set.set(pathOf(request), parseJson(response.body) ?? null)
          const own = set.get(pathOf(request))
          return isRead(request) && own !== undefined ? mapJson(response, () => own) : response
        }
      },
    },
  ],
}

/** If a request contains a number at the minimum or maximum, makes the response show the next larger number. */
const atBounds = (cell: Cell): MutantInput[] => {
  const { definition, version, operation, row } = cell
  const { body } = definition
  if (body === undefined || !row.hasContent) return []
  const isNumber = ({ kind, valid, at, body: changed }: Omit<Mutation, 'strength'>): boolean =>
    kind === 'constraint' &&
    valid &&
    !boundByMoreThanSchema.has(`${operation.id}${at}`) &&
    numberAt(visibleIn(cell, changed), at.slice(1)) !== undefined
  const mutations = [
    ...mutationsOf(version.document, version.validator, body.schema, body.examples)(isNumber),
  ]
  return mutations.map(({ label, at, body: changed }): MutantInput => {
    const name = at.slice(1)
    const value = numberAt(changed, name)
    return {
      what: `${label} stored otherwise`,
      hints: ['bodies.bounds-accepted'],
      make: onResponse(
        (response, request) => isSuccess(response) && sentIn(request)[name] === value,
        (response) => fields(response, (shown) => ({ ...shown, [name]: Number(value) + 1 })),
      ),
    }
  })
}

const name = 'only some'

const tables = [backups, alerts, others, generations].map((table) => breaking(name, table))
const bounds = perCell(name, (cell) => (cell.operation.security === 'api' ? atBounds(cell) : []))

export const onlySome: Operator = {
  name,
  mutants: (cells) => [...tables, bounds].flatMap((one) => one.mutants(cells)),
}
