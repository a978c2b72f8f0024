import { limits } from '@svc-admin/types'
import { isObject, type Json, stringAt } from '../../src/document/json.ts'
import type { Cell } from '../../src/model/api.ts'
import { errorResponse, isSuccess, type MutantInput, mapJson, onResponse, perCell } from '../mutant.ts'
import type { Forward, ProxiedRequest } from '../proxy.ts'
import { alertsOfConfig, alertsOfProject, fields, listed } from './state-alert-lists.ts'
import { type Body, sentIn, without } from './ways.ts'

const storing =
  (change: (body: Body) => Json): MutantInput['make'] =>
  () =>
  (request, forward) =>
    forward(
      request.body === undefined || request.method !== 'PATCH'
        ? request
        : { ...request, body: JSON.stringify(change(sentIn(request))) },
    )

const seenAs = (change: (body: Body) => Json) => onResponse(isSuccess, (response) => fields(response, change))

/** Reads the alert instead of changing it. */
const ignoring =
  (concerns: (body: Body) => boolean): MutantInput['make'] =>
  () =>
  (request, forward) =>
    concerns(sentIn(request)) && request.method === 'PATCH'
      ? forward({
          ...request,
          method: 'GET',
          body: undefined,
          headers: request.headers.filter(([name]) => !/^content-type$/i.test(name)),
        })
      : forward(request)

const later = (until: Json | undefined, milliseconds: number): string =>
  new Date(Date.parse(String(until)) + milliseconds).toISOString()

const day = 24 * 3600 * 1000

const offset = /[+-]\d\d:\d\d$/

const hasOffset = (time: Json | undefined): time is string => typeof time === 'string' && offset.test(time)

/** Returns whether the body contains `acknowledgedUntil`. */
const hasUntil = (body: Body): boolean => typeof body.acknowledgedUntil === 'string'

const acknowledge: readonly MutantInput[] = [
  { what: 'not stored', hints: ['acknowledgeAlert.acknowledges'], make: ignoring(hasUntil) },
  {
    what: 'comment lost',
    hints: ['acknowledgeAlert.acknowledges'],
    make: storing(without('acknowledgementComment')),
  },
  {
    what: 'user not named',
    hints: ['acknowledgeAlert.acknowledges'],
    reach: 'path',
    make: seenAs(without('acknowledgingUsername')),
  },
  {
    what: 'until another time',
    hints: ['acknowledgeAlert.acknowledges'],
    make: storing((body) =>
      hasUntil(body) ? { ...body, acknowledgedUntil: later(body.acknowledgedUntil, day) } : body,
    ),
  },
  {
    what: 'offset repeated',
    hints: ['resources.timestamps-utc'],
    make: onResponse(isSuccess, (response, request) => {
      const { acknowledgedUntil: until } = sentIn(request)
      return fields(response, (body) =>
        hasOffset(until) ? { ...body, acknowledgedUntil: String(until) } : body,
      )
    }),
  },
  {
    what: 'offset ignored',
    hints: ['resources.timestamps-utc'],
    make: storing((body) =>
      hasOffset(body.acknowledgedUntil)
        ? { ...body, acknowledgedUntil: body.acknowledgedUntil.replace(offset, 'Z') }
        : body,
    ),
  },
  {
    what: 'at most a year',
    hints: ['acknowledgeAlert.for-ever'],
    make: storing((body) =>
      hasUntil(body) && Date.parse(String(body.acknowledgedUntil)) > Date.now() + 50 * 365 * day
        ? { ...body, acknowledgedUntil: later(body.acknowledgedUntil, -50 * 365 * day) }
        : body,
    ),
  },
  {
    what: 'long comment taken',
    hints: ['acknowledgeAlert.comment-at-most-200'],
    make: storing((body) =>
      typeof body.acknowledgementComment === 'string'
        ? {
            ...body,
            acknowledgementComment: body.acknowledgementComment.slice(
              0,
              limits.acknowledgementComment.maxLength,
            ),
          }
        : body,
    ),
  },
  {
    what: 'longest comment rejected',
    hints: ['acknowledgeAlert.comment-at-most-200'],
    make: onResponse(
      (response, request) =>
        isSuccess(response) &&
        String(sentIn(request).acknowledgementComment ?? '').length >=
          limits.acknowledgementComment.maxLength,
      () => errorResponse(400, 'VALIDATION_ERROR', 'Bad Request'),
    ),
  },
  {
    what: 'changes the status',
    hints: ['acknowledgeAlert.keeps-status'],
    reach: 'path',
    make: () => {
      const touched = new Set<string>()
      return async (request: ProxiedRequest, forward: Forward) => {
        const response = await forward(request)
        if (request.method === 'PATCH') touched.add(request.path)
        return touched.has(request.path) && isSuccess(response)
          ? fields(response, (body) => ({ ...body, status: 'CLOSED' }))
          : response
      }
    },
  },
  {
    what: 'fields stay',
    hints: ['acknowledgeAlert.unacknowledged-fields-absent'],
    reach: 'path',
    make: seenAs((body) => ({ acknowledgementComment: 'old', ...body })),
  },
]

const takenBack = (cell: Cell): MutantInput[] => {
  const flag = cell.version.id === '2024-05-30'
  const inputs: MutantInput[] = [
    {
      what: 'past ignored',
      hints: ['acknowledgeAlert.past-unacknowledges'],
      make: () => {
        let known = 0
        return (request: ProxiedRequest, forward: Forward) => {
          // This comparison doesn't depend on the server's clock. The kit acknowledges alerts for up to an hour, and
          // removes acknowledgments by sending a time one hour in the past.
          const until = Date.parse(String(sentIn(request).acknowledgedUntil ?? ''))
          const past = !Number.isNaN(until) && until < known - 3600_000
          known = Math.max(known, Number.isNaN(until) ? 0 : until)
          return forward(
            past
              ? {
                  ...request,
                  body: JSON.stringify({
                    ...sentIn(request),
                    acknowledgedUntil: new Date(known).toISOString(),
                  }),
                }
              : request,
          )
        }
      },
    },
  ]
  if (flag)
    inputs.push(
      {
        what: 'flag ignored',
        hints: ['acknowledgeAlert.flag-unacknowledges'],
        make: storing(without('unacknowledgeAlert')),
      },
      {
        what: 'moment wins over the flag',
        hints: ['acknowledgeAlert.flag-unacknowledges'],
        make: storing((body) => (hasUntil(body) ? without('unacknowledgeAlert')(body) : body)),
      },
      {
        what: 'neither takes back',
        hints: ['acknowledgeAlert.neither-changes-nothing'],
        make: storing((body) => (Object.keys(body).length === 0 ? { unacknowledgeAlert: true } : body)),
      },
    )
  else
    inputs.push(
      {
        what: 'omitted ignored',
        hints: ['acknowledgeAlert.omitted-unacknowledges'],
        make: ignoring((body) => Object.keys(body).length === 0),
      },
      {
        what: 'flag taken',
        hints: ['acknowledgeAlert.flag-unknown-before'],
        make: storing((body) => ('unacknowledgeAlert' in body ? without('unacknowledgeAlert')(body) : body)),
      },
    )
  return inputs
}

const relabelled =
  (from: string, to: string) =>
  (value: Json): Json =>
    stringAt(value, 'status') === from && isObject(value) ? { ...value, status: to } : value

/** Changes the alert in a response. If the response is a list, changes each alert in it. */
const onAlerts = (cell: Cell, change: (alert: Json) => Json): MutantInput['make'] =>
  cell.operation.paged
    ? listed((results) => results.map(change))
    : onResponse(isSuccess, (response) => mapJson(response, change))

const lifecycle = (cell: Cell): MutantInput[] => [
  {
    what: 'TRACKING shown as OPEN',
    hints: ['alert.tracking-until-delay'],
    make: onAlerts(cell, relabelled('TRACKING', 'OPEN')),
  },
  {
    what: 'OPEN shown as TRACKING',
    hints: ['alert.open-after-delay'],
    make: onAlerts(cell, relabelled('OPEN', 'TRACKING')),
  },
  {
    what: 'CLOSED shown as OPEN',
    hints: ['alert.closed-when-gone'],
    make: onAlerts(cell, relabelled('CLOSED', 'OPEN')),
  },
]

const single: readonly MutantInput[] = [
  {
    what: 'another alert',
    hints: ['getAlert.answers-with-alert'],
    make: seenAs((body) => ({ ...body, id: '0'.repeat(24) })),
  },
  {
    what: 'another project',
    hints: ['getAlert.answers-with-alert'],
    make: seenAs((body) => ({ ...body, groupId: '0'.repeat(24) })),
  },
  { what: 'resolved missing', hints: ['alert.closed-when-gone'], make: seenAs(without('resolved')) },
]

const inputsOf = (cell: Cell): readonly MutantInput[] => {
  switch (cell.operation.id) {
    case 'acknowledgeAlert':
      return [...acknowledge, ...takenBack(cell)]
    case 'getAlert':
      return [...single, ...lifecycle(cell)]
    case 'listAlerts':
      return [...alertsOfProject, ...lifecycle(cell)]
    case 'listAlertsByAlertConfig':
      return alertsOfConfig
    default:
      return []
  }
}

/** Makes the server acknowledge, raise, close or list alerts incorrectly. */
export const alertState = perCell('state', inputsOf)
