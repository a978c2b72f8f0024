import { limits } from '@svc-admin/types'
import { isObject, type Json, listAt, stringAt } from '../../src/document/json.ts'
import type { Cell } from '../../src/model/api.ts'
import { holderOfRequest } from '../holders.ts'
import {
  errorResponse,
  insteadOf,
  isSuccess,
  jsonOf,
  type MutantInput,
  mapJson,
  onResponse,
  perCell,
  queryOf,
  unlessPretty,
  withQuery,
} from '../mutant.ts'
import type { ProxiedRequest } from '../proxy.ts'

const entries = (change: (entries: readonly Json[], request: ProxiedRequest) => readonly Json[]) =>
  onResponse(isSuccess, (response, request) =>
    mapJson(response, (body) =>
      isObject(body) ? { ...body, accessLogs: change(listAt(body, 'accessLogs'), request) } : body,
    ),
  )

const ignoring =
  (...names: string[]): MutantInput['make'] =>
  () =>
  (request, forward) =>
    forward(
      withQuery(request, (query) => {
        for (const name of names) query.delete(name)
      }),
    )

/** Makes the server ignore certain parameters if the request also contains another parameter. */
const ignoringAlongWith =
  (other: string, ...names: string[]): MutantInput['make'] =>
  (tools) =>
  (request, forward) =>
    queryOf(request).has(other) ? ignoring(...names)(tools)(request, forward) : forward(request)

const alone = (name: string, other: string) =>
  insteadOf(
    ({ status }, request) => status === 400 && queryOf(request).has(name) && !queryOf(request).has(other),
    (request) => withQuery(request, (query) => query.delete(name)),
  )

const small = (cell: Cell): MutantInput[] =>
  ['tryout-free', 'tryout-small', 'tryout-medium'].map((cluster) => ({
    what: `${cluster} has a history`,
    hints: ['accessHistory.tiers'],
    make: insteadOf(
      ({ status }, request) => status === 400 && request.path.includes(`/${cluster}`),
      (request, tools) => tools.good(request, cell),
    ),
  }))

const viewers: readonly MutantInput[] = (['PROJECT_OWNER', 'ORGANIZATION_OWNER'] as const).map((role) => ({
  what: `${role} rejected`,
  hints: ['accessHistory.viewers'],
  make: onResponse(
    (response, request) => isSuccess(response) && holderOfRequest(request) === role,
    () => errorResponse(403, 'INSUFFICIENT_ROLE', 'Forbidden'),
  ),
}))

const common: readonly MutantInput[] = [
  {
    what: 'oldest first',
    hints: ['accessHistory.newest-first'],
    make: entries((list) => [...list].reverse()),
  },
  { what: 'start alone taken', hints: ['accessHistory.start-needs-end'], make: alone('start', 'end') },
  { what: 'end alone taken', hints: ['accessHistory.start-needs-end'], make: alone('end', 'start') },
  {
    what: 'start after end taken',
    hints: ['accessHistory.start-not-after-end'],
    make: insteadOf(
      ({ status }, request) => status === 400 && queryOf(request).has('start') && queryOf(request).has('end'),
      (request) =>
        withQuery(request, (query) => {
          for (const name of ['start', 'end']) query.delete(name)
        }),
    ),
  },
  { what: 'period ignored', hints: ['accessHistory.period-kept'], make: ignoring('start', 'end') },
  {
    what: 'end left out',
    hints: ['accessHistory.period-kept'],
    make: () => (request, forward) =>
      forward(
        withQuery(
          request,
          (query) => query.has('end') && query.set('end', String(Number(query.get('end')) - 1)),
        ),
      ),
  },
  { what: 'authResult ignored', hints: ['accessHistory.auth-result'], make: ignoring('authResult') },
  {
    what: 'authResult=false keeps failures alone',
    hints: ['accessHistory.auth-result-false-keeps-all'],
    make: onResponse(
      (response, request) => isSuccess(response) && queryOf(request).get('authResult') === 'false',
      (response) =>
        mapJson(response, (body) =>
          isObject(body)
            ? {
                ...body,
                accessLogs: listAt(body, 'accessLogs').filter(
                  (one) => isObject(one) && one.authResult === false,
                ),
              }
            : body,
        ),
    ),
  },
  {
    what: 'ipAddress as a beginning',
    hints: ['accessHistory.ip-address'],
    make: unlessPretty(() => async (request, forward) => {
      const address = queryOf(request).get('ipAddress')
      const response = await forward(request)
      if (address === null || !isSuccess(response)) return response
      const all = await forward(
        withQuery(request, (query) => {
          for (const name of ['ipAddress', 'nLogs']) query.delete(name)
        }),
      )
      const kept = listAt(jsonOf(all), 'accessLogs')
        .filter((one) => stringAt(one, 'ipAddress')?.startsWith(address))
        .slice(0, Number(queryOf(request).get('nLogs') ?? limits.nLogs.default))
      return mapJson(response, (body) => (isObject(body) ? { ...body, accessLogs: kept } : body))
    }),
  },
  { what: 'ipAddress ignored', hints: ['accessHistory.ip-address'], make: ignoring('ipAddress') },
  {
    what: 'authResult ignored along with ipAddress',
    hints: ['accessHistory.ip-address'],
    make: ignoringAlongWith('ipAddress', 'authResult'),
  },
  {
    what: 'period ignored along with authResult',
    hints: ['accessHistory.auth-result'],
    make: ignoringAlongWith('authResult', 'start', 'end'),
  },
  ...(['ipAddress', 'authResult'] as const).flatMap((other) =>
    [['start', '0'] as const, ['end', '9000000000000'] as const].map(
      ([end, open]): MutantInput => ({
        what: `${end} ignored along with ${other}`,
        hints: [other === 'ipAddress' ? 'accessHistory.ip-address' : 'accessHistory.auth-result'],
        make: () => (request, forward) => {
          const query = queryOf(request)
          const isLeft = query.has(other) && query.has('start') && query.has('end')
          return forward(isLeft ? withQuery(request, (changed) => changed.set(end, open)) : request)
        },
      }),
    ),
  ),
  ...[10, 1000].map(
    (count): MutantInput => ({
      what: `a default of ${count}`,
      hints: ['accessHistory.n-logs-default'],
      make: unlessPretty(
        entries((list, request) => (queryOf(request).has('nLogs') ? list : list.slice(0, count))),
      ),
    }),
  ),
  {
    what: 'nLogs ignored along with a period',
    hints: ['accessHistory.n-logs'],
    make: ignoringAlongWith('start', 'nLogs'),
  },
  {
    what: 'nLogs counted before ipAddress',
    hints: ['accessHistory.n-logs-newest'],
    make: () => async (request, forward) => {
      const address = queryOf(request).get('ipAddress')
      if (address === null || !queryOf(request).has('nLogs')) return forward(request)
      const response = await forward(withQuery(request, (query) => query.delete('ipAddress')))
      return mapJson(response, (body) =>
        isObject(body)
          ? {
              ...body,
              accessLogs: listAt(body, 'accessLogs').filter((one) => stringAt(one, 'ipAddress') === address),
            }
          : body,
      )
    },
  },
  { what: 'nLogs ignored', hints: ['accessHistory.n-logs'], make: ignoring('nLogs') },
  {
    what: 'one more than nLogs',
    hints: ['accessHistory.n-logs'],
    make: () => (request, forward) =>
      forward(
        withQuery(
          request,
          (query) =>
            query.has('nLogs') &&
            query.set('nLogs', String(Math.min(limits.nLogs.maximum, Number(query.get('nLogs')) + 1))),
        ),
      ),
  },
  {
    what: 'the oldest nLogs',
    hints: ['accessHistory.n-logs-newest'],
    make: () => async (request, forward) => {
      const count = queryOf(request).get('nLogs')
      if (count === null) return forward(request)
      const response = await forward(withQuery(request, (query) => query.delete('nLogs')))
      return mapJson(response, (body) =>
        isObject(body)
          ? {
              ...body,
              accessLogs: Number(count) === 0 ? [] : listAt(body, 'accessLogs').slice(-Number(count)),
            }
          : body,
      )
    },
  },
  ...viewers,
]

const named = (cell: Cell): MutantInput[] => {
  const byCluster = cell.operation.id === 'listAccessLogsByCluster'
  const [responses, unknown, only] = byCluster
    ? ([
        'listAccessLogsByCluster.answers-with-access-logs',
        'listAccessLogsByCluster.unknown-cluster',
        'listAccessLogsByCluster.only-this-cluster',
      ] as const)
    : ([
        'listAccessLogsByHostname.answers-with-access-logs',
        'listAccessLogsByHostname.unknown-host',
        'listAccessLogsByHostname.only-this-host',
      ] as const)
  return [
    {
      what: 'a bare list',
      hints: [responses],
      make: onResponse(isSuccess, (response) => mapJson(response, (body) => listAt(body, 'accessLogs'))),
    },
    {
      what: 'unknown has no entries',
      hints: [unknown],
      make: onResponse(
        ({ status }, { path }) => status === 404 && path.includes('none-'),
        (response) => ({ ...response, status: 200, body: '{"accessLogs":[]}' }),
      ),
    },
    {
      what: 'entries of another',
      hints: [only],
      make: entries((list) =>
        list.map((one, index) =>
          index === 0 && isObject(one)
            ? {
                ...one,
                hostname: 'other.example',
                username: stringAt(one, 'username')?.replace('orders-eu', 'orders-global') ?? '',
              }
            : one,
        ),
      ),
    },
    { what: 'no entries', hints: [only], make: entries(() => []) },
  ]
}

/** Makes the server apply the wrong filters, order or permissions to access histories. */
export const accessLogState = perCell('state', (cell) =>
  cell.operation.area === 'Access Tracking' ? [...common, ...small(cell), ...named(cell)] : [],
)
