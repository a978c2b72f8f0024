import { limits } from '@svc-admin/types'
import { isObject, type Json, listAt, parseJson, stringAt } from '../../src/document/json.ts'
import { isSuccess, type MutantInput, mapJson, onResponse, queryOf, withQuery } from '../mutant.ts'
import type { Forward, ProxiedRequest, Response } from '../proxy.ts'
import { type Body, sentIn } from './ways.ts'

/** Changes the body of a response if the body is an object. */
export const fields = (response: Response, change: (body: Body) => Json): Response =>
  mapJson(response, (body) => (isObject(body) ? change(body) : body))

/** Changes the items in a list. */
export const listed = (change: (results: readonly Json[]) => readonly Json[]) =>
  onResponse(isSuccess, (response) =>
    fields(response, (body) => ({ ...body, results: change(listAt(body, 'results')) })),
  )

const first = (results: readonly Json[], change: (body: Body) => Json): readonly Json[] =>
  results.map((one, index) => (index === 0 && isObject(one) ? change(one) : one))

/** Attributes the first alert in a list to a configuration that shouldn't have raised an alert. */
const raisesAll =
  (concerns: (config: Body) => boolean): MutantInput['make'] =>
  () => {
    const configs: string[] = []
    return async (request: ProxiedRequest, forward: Forward) => {
      const response = await forward(request)
      if (request.method === 'POST' && concerns(sentIn(request)))
        configs.push(stringAt(parseJson(response.body), 'id') ?? '')
      if (request.method !== 'GET' || !request.path.includes('/alerts?') || !isSuccess(response))
        return response
      return fields(response, (body) => ({
        ...body,
        results: first(listAt(body, 'results'), (alert) => ({
          ...alert,
          alertConfigId: configs.at(-1) ?? '',
        })),
      }))
    }
  }

export const alertsOfProject: readonly MutantInput[] = [
  {
    what: 'status filter ignored',
    hints: ['listAlerts.status-filters'],
    make: () => (request, forward) => forward(withQuery(request, (query) => query.delete('status'))),
  },
  {
    what: 'count of all with a status filter',
    hints: ['paging.total-count'],
    make: () => async (request, forward) => {
      const response = await forward(request)
      if (!queryOf(request).has('status') || !isSuccess(response)) return response
      return mapJson(response, (body) =>
        isObject(body) && typeof body.totalCount === 'number'
          ? { ...body, totalCount: body.totalCount + 1 }
          : body,
      )
    },
  },
  {
    what: 'links without the status filter',
    hints: ['paging.links-lead'],
    make: onResponse(isSuccess, (response) => ({
      ...response,
      body: response.body.replace(/[?&]status=\w+(?=[^"]*","rel":"next")/g, (found) =>
        found[0] === '?' ? '?' : '',
      ),
    })),
  },
  {
    what: 'status filter empties',
    hints: ['listAlerts.status-filters'],
    make: onResponse(
      (response, request) => isSuccess(response) && queryOf(request).has('status'),
      (response) => fields(response, (body) => ({ ...body, results: [] })),
    ),
  },
  {
    what: 'CLOSED left out',
    hints: ['listAlerts.status-filters', 'listAlerts.lists-the-project'],
    make: onResponse(
      (response, request) => isSuccess(response) && !queryOf(request).has('status'),
      (response) =>
        fields(response, (body) => ({
          ...body,
          results: listAt(body, 'results').filter((one) => stringAt(one, 'status') !== 'CLOSED'),
        })),
    ),
  },
  {
    what: 'OPEN left out',
    hints: ['listAlerts.lists-the-project'],
    make: listed((results) => results.filter((one) => stringAt(one, 'status') === 'CLOSED')),
  },
  {
    what: 'one of another project',
    hints: ['listAlerts.lists-the-project'],
    make: listed((results) => first(results, (one) => ({ ...one, groupId: '0'.repeat(24) }))),
  },
  {
    what: 'no new alert',
    hints: ['alert.raised-from-event'],
    make: listed((results) =>
      results.filter((one) => stringAt(one, 'eventTypeName') === 'DEPLOYMENT_FAILURE'),
    ),
  },
  {
    what: 'disabled raises',
    hints: ['alert.disabled-raises-nothing'],
    reach: 'generation',
    make: raisesAll(({ enabled }) => enabled === false),
  },
  {
    what: 'matchers ignored',
    hints: ['alert.matchers-decide'],
    reach: 'generation',
    make: raisesAll((config) => listAt(config, 'matchers').length > 0),
  },
]

export const alertsOfConfig: readonly MutantInput[] = [
  {
    what: 'closed alerts counted',
    hints: ['paging.total-count'],
    make: () => async (request, forward) => {
      const response = await forward(request)
      const [, project = '', config = ''] = /^(.*)\/alertConfigs\/(\w+)\//.exec(request.path) ?? []
      const { maximum } = limits.itemsPerPage
      const all = await forward({ ...request, path: `${project}/alerts?itemsPerPage=${maximum}` })
      const own = listAt(parseJson(all.body), 'results').filter(
        (alert) => stringAt(alert, 'alertConfigId') === config,
      )
      return isSuccess(response)
        ? fields(response, (body) => ('totalCount' in body ? { ...body, totalCount: own.length } : body))
        : response
    },
  },
  { what: 'nothing listed', hints: ['listAlertsByAlertConfig.open-only'], make: listed(() => []) },
  {
    what: 'closed listed',
    hints: ['listAlertsByAlertConfig.open-only'],
    make: () => {
      const known = new Map<string, Json>()
      return async (request: ProxiedRequest, forward: Forward) => {
        const response = await forward(request)
        if (!isSuccess(response)) return response
        for (const alert of listAt(parseJson(response.body), 'results'))
          known.set(`${request.path} ${stringAt(alert, 'id')}`, alert)
        const ever = [...known]
          .filter(([key]) => key.startsWith(`${request.path} `))
          .map(([, alert]) => alert)
        return fields(response, (body) => ({ ...body, results: ever }))
      }
    },
  },
  {
    what: 'those of other configurations',
    hints: ['listAlertsByAlertConfig.open-only'],
    make: listed((results) => first(results, (one) => ({ ...one, alertConfigId: '0'.repeat(24) }))),
  },
]
