import { isObject, type Json, listAt, parseJson, stringAt } from '../../src/document/json.ts'
import type { Cell } from '../../src/model/api.ts'
import { notificationKinds } from '../../src/resources/alert-configs.ts'
import {
  errorResponse,
  isSuccess,
  type MutantInput,
  mapJson,
  onResponse,
  perCell,
  queryOf,
} from '../mutant.ts'
import type { Forward, ProxiedRequest, Response } from '../proxy.ts'
import { flippingFlag } from './ways.ts'

type Body = Readonly<Record<string, Json>>

const sent = (request: ProxiedRequest): Body => {
  const body = request.body === undefined ? undefined : parseJson(request.body)
  return isObject(body) ? body : {}
}

const fields = (response: Response, change: (body: Body) => Json): Response =>
  mapJson(response, (body) => (isObject(body) ? change(body) : body))

const plain = (request: ProxiedRequest): boolean => queryOf(request).size === 0

const invalid = errorResponse(400, 'VALIDATION_ERROR', 'Bad Request')

/** Changes the response to a successful update, as if the server hadn't stored the new values. */
const notStored =
  (change: (body: Body, request: ProxiedRequest) => Json): MutantInput['make'] =>
  () =>
  async (request, forward) => {
    if (!plain(request) || request.body === undefined) return forward(request)
    const probe = await forward(request)
    if (!isSuccess(probe)) return probe
    return fields(probe, (body) => change(body, request))
  }

/** Changes the request body, so that the server stores different values than the client sent. */
const storing =
  (change: (body: Body) => Json): MutantInput['make'] =>
  () =>
  (request, forward) =>
    forward(
      request.body === undefined ? request : { ...request, body: JSON.stringify(change(sent(request))) },
    )

/** Changes the resource in responses. A mutant with `reads` affects every operation on the path. */
const seenAs = (change: (body: Body) => Json) => onResponse(isSuccess, (response) => fields(response, change))

const without =
  (name: string) =>
  (body: Body): Json => {
    const { [name]: _, ...rest } = body
    return rest
  }

const toggle: readonly MutantInput[] = [
  {
    what: 'flag inverted',
    hints: ['toggleAlertConfig.sets-flag'],
    make: storing((body) => ({ ...body, enabled: body.enabled !== true })),
  },
  {
    what: 'never disables',
    hints: ['toggleAlertConfig.sets-flag'],
    make: storing((body) => ({ ...body, enabled: true })),
  },
  {
    what: 'never enables',
    hints: ['toggleAlertConfig.sets-flag'],
    make: storing((body) => ({ ...body, enabled: false })),
  },
  {
    what: 'returns the old flag',
    hints: ['toggleAlertConfig.sets-flag'],
    make: seenAs((body) => ({ ...body, enabled: body.enabled !== true })),
  },
  {
    what: 'answered, not stored',
    hints: ['toggleAlertConfig.sets-flag'],
    make: () => async (request, forward) => {
      const response = await forward({
        ...request,
        method: 'GET',
        body: undefined,
        headers: request.headers.filter(([name]) => !/^content-type$/i.test(name)),
      })
      return isSuccess(response)
        ? fields(response, (body) => ({ ...body, enabled: sent(request).enabled ?? false }))
        : forward(request)
    },
  },
  {
    what: 'turns over what is so already',
    hints: ['toggleAlertConfig.sets-flag'],
    make: flippingFlag('enabled'),
  },
  {
    what: 'changes something else',
    hints: ['toggleAlertConfig.changes-nothing-else'],
    reach: 'path',
    make: () => {
      const toggled = new Set<string>()
      return async (request: ProxiedRequest, forward: Forward) => {
        const response = await forward(request)
        if (request.method === 'PATCH' && isSuccess(response)) toggled.add(request.path)
        return request.method === 'GET' && toggled.has(request.path)
          ? fields(response, (body) => ({ ...body, severityOverride: 'CRITICAL' }))
          : response
      }
    },
  },
]

const create: readonly MutantInput[] = [
  {
    what: 'severityOverride lost',
    hints: ['createAlertConfig.stored'],
    make: storing(without('severityOverride')),
  },
  { what: 'matchers lost', hints: ['createAlertConfig.stored'], make: storing(without('matchers')) },
  {
    what: 'returns another event type',
    hints: ['createAlertConfig.stored'],
    make: seenAs((body) => ({ ...body, eventTypeName: 'OTHER' })),
  },
  {
    what: 'returns another project',
    hints: ['createAlertConfig.stored'],
    make: seenAs((body) => ({ ...body, groupId: '0'.repeat(24) })),
  },
  {
    what: 'returns another time',
    hints: ['createAlertConfig.stored'],
    make: seenAs((body) => ({ ...body, created: '2020-01-01T00:00:00Z' })),
  },
  {
    what: 'enabled by default',
    hints: ['createAlertConfig.enabled-default'],
    make: storing((body) => ({ enabled: true, ...body })),
  },
  {
    what: 'unknown event type rejected',
    hints: ['createAlertConfig.event-type-open'],
    make: onResponse(
      isSuccess,
      refuse(({ eventTypeName }) => eventTypeName === 'SOMETHING_NEW'),
    ),
  },
  {
    what: 'known event type rejected',
    hints: ['createAlertConfig.event-type-open'],
    make: onResponse(
      isSuccess,
      refuse(({ eventTypeName }) => eventTypeName === 'CREDIT_CARD_ABOUT_TO_EXPIRE'),
    ),
  },
  {
    what: 'open field of a notification rejected',
    hints: ['createAlertConfig.notification-open'],
    make: onResponse(
      isSuccess,
      refuse((body) => JSON.stringify(body.notifications).includes('somethingElse')),
    ),
  },
  {
    what: 'open field of a matcher rejected',
    hints: ['createAlertConfig.matcher-open'],
    make: onResponse(
      isSuccess,
      refuse((body) => JSON.stringify(body.matchers ?? []).includes('somethingElse')),
    ),
  },
  {
    what: 'a field name rejected',
    hints: ['createAlertConfig.matcher-field-names'],
    make: onResponse(
      isSuccess,
      refuse((body) => JSON.stringify(body.matchers ?? []).includes('SHARD_NAME')),
    ),
  },
  ...['INFO', 'WARNING', 'ERROR', 'CRITICAL'].map(
    (severity): MutantInput => ({
      what: `severity ${severity} rejected`,
      hints: ['createAlertConfig.severities'],
      make: onResponse(
        isSuccess,
        refuse((body) => body.severityOverride === severity),
      ),
    }),
  ),
  {
    what: 'severity stored as another',
    hints: ['createAlertConfig.severities'],
    make: storing((body) =>
      body.severityOverride === 'ERROR' ? { ...body, severityOverride: 'INFO' } : body,
    ),
  },
  {
    what: 'other severity taken',
    hints: ['createAlertConfig.severities'],
    make: () => async (request, forward) => {
      const response = await forward(request)
      const other = response.status === 400 && sent(request).severityOverride === 'CATASTROPHE'
      return other
        ? forward({ ...request, body: JSON.stringify({ ...sent(request), severityOverride: 'INFO' }) })
        : response
    },
  },
  {
    what: 'secrets answered',
    hints: ['createAlertConfig.secrets-not-returned'],
    make: onResponse(isSuccess, (response, request) =>
      fields(response, (body) =>
        sent(request).notifications === undefined
          ? body
          : { ...body, notifications: sent(request).notifications ?? [] },
      ),
    ),
  },
]

function refuse(concerns: (body: Body) => boolean) {
  return (response: Response, request: ProxiedRequest): Response =>
    concerns(sent(request)) ? invalid : response
}

/** Makes the server reject a notification type, with one mutant for each documented type. */
const refusedKinds = (cell: Cell): readonly MutantInput[] =>
  notificationKinds(cell).map((notification) => {
    const kind = stringAt(notification, 'typeName')
    return {
      what: `notification ${kind} rejected`,
      hints: ['createAlertConfig.notification-kinds'],
      make: onResponse(
        isSuccess,
        refuse((body) => stringAt(listAt(body, 'notifications')[0], 'typeName') === kind),
      ),
    }
  })

const update: readonly MutantInput[] = [
  {
    what: 'severityOverride not stored',
    hints: ['updateAlertConfig.replaces'],
    make: storing(without('severityOverride')),
  },
  {
    what: 'enabled not stored',
    hints: ['updateAlertConfig.replaces'],
    make: storing((body) => ({ ...body, enabled: false })),
  },
  {
    what: 'event type not stored',
    hints: ['updateAlertConfig.replaces'],
    make: storing((body) => ({ ...body, eventTypeName: 'HOST_DOWN' })),
  },
  {
    what: 'notifications added, not replaced',
    hints: ['updateAlertConfig.replaces'],
    make: storing((body) => ({
      ...body,
      notifications: [...listAt(body, 'notifications'), { typeName: 'ORG' }],
    })),
  },
  {
    what: 'returns another id',
    hints: ['updateAlertConfig.replaces'],
    make: seenAs((body) => ({ ...body, id: '0'.repeat(24) })),
  },
  {
    what: 'moves created',
    hints: ['updateAlertConfig.replaces'],
    make: seenAs((body) => ({ ...body, created: '2020-01-01T00:00:00Z' })),
  },
  {
    what: 'returns the previous state',
    hints: ['updateAlertConfig.replaces'],
    make: notStored((body) => ({ ...body, severityOverride: 'INFO' })),
  },
  {
    what: 'updated stays',
    hints: ['updateAlertConfig.updated-moves'],
    reach: 'path',
    make: () => async (request, forward) => {
      const response = await forward(request)
      return isSuccess(response)
        ? fields(response, (body) => ({ ...body, updated: body.created ?? '' }))
        : response
    },
  },
]

const remove: readonly MutantInput[] = [
  {
    what: 'not removed',
    hints: ['deleteAlertConfig.gone'],
    make: () => async (request, forward) => {
      const seen = await forward({ ...request, method: 'GET' })
      return isSuccess(seen) && plain(request)
        ? { status: 204, headers: seen.headers, body: '' }
        : forward(request)
    },
  },
  {
    what: 'removed twice',
    hints: ['deleteAlertConfig.gone'],
    make: onResponse(
      ({ status }) => status === 404,
      (response) => ({ ...response, status: 204, body: '' }),
    ),
  },
]

const reads: readonly MutantInput[] = [
  {
    what: 'another configuration',
    hints: ['getAlertConfig.answers-with-alert-config'],
    make: seenAs((body) => ({ ...body, id: '0'.repeat(24) })),
  },
  {
    what: 'another project',
    hints: ['getAlertConfig.answers-with-alert-config'],
    make: seenAs((body) => ({ ...body, groupId: '0'.repeat(24) })),
  },
]

const listed = (change: (results: readonly Json[]) => readonly Json[]) =>
  onResponse(isSuccess, (response) =>
    fields(response, (body) => ({ ...body, results: change(listAt(body, 'results')) })),
  )

const list: readonly MutantInput[] = [
  {
    what: 'newest missing',
    hints: ['listAlertConfigs.lists-the-project', 'listAlertConfigs.lists-the-project'],
    make: listed((results) =>
      results.filter((one) => stringAt(one, 'eventTypeName') !== 'DEPLOYMENT_FAILURE'),
    ),
  },
  {
    what: 'one of another project',
    hints: ['listAlertConfigs.lists-the-project'],
    make: listed((results) =>
      results.map((one, index) => (index === 0 && isObject(one) ? { ...one, groupId: '0'.repeat(24) } : one)),
    ),
  },
]

const byAlert: readonly MutantInput[] = [
  {
    what: 'nothing listed',
    hints: ['listAlertConfigsByAlert.lists-the-configuration'],
    make: listed(() => []),
  },
  {
    what: 'another listed',
    hints: ['listAlertConfigsByAlert.lists-the-configuration'],
    make: listed((results) => results.map((one) => (isObject(one) ? { ...one, id: '0'.repeat(24) } : one))),
  },
]

const wrongNames: readonly (readonly [what: string, body: Json])[] = [
  ['no names', []],
  ['an object', { results: [] }],
  ['numbers', [1, 2]],
]
const names: readonly MutantInput[] = wrongNames.map(([what, body]) => ({
  what,
  hints: ['listMatcherFieldNames.answers-with-names'],
  make: onResponse(isSuccess, (response) => mapJson(response, () => body)),
}))

const byOperation = (cell: Cell): Readonly<Record<string, readonly MutantInput[]>> => ({
  toggleAlertConfig: toggle,
  createAlertConfig: [...create, ...refusedKinds(cell)],
  updateAlertConfig: update,
  deleteAlertConfig: remove,
  getAlertConfig: reads,
  listAlertConfigs: list,
  listAlertConfigsByAlert: byAlert,
  listMatcherFieldNames: names,
})

/** Makes the server store, change, delete or list alert configurations incorrectly. */
export const alertConfigState = perCell('state', (cell: Cell) => byOperation(cell)[cell.operation.id] ?? [])
