import { isArray, isObject, type Json, listAt } from '../../src/document/json.ts'
import { isSuccess, mapJson } from '../mutant.ts'
import { type Body, breaking, otherDefault, sentIn, type Way, without } from './ways.ts'

/** Makes the toggle operation remove other fields of a configuration, even though only `enabled` should change. */
const toggleLoses = (what: string, change: (body: Body) => Json): Way => ({
  what: `toggling loses ${what}`,
  reach: 'path',
  make: () => () => {
    const toggled = new Set<string>()
    return async (request, forward) => {
      const response = await forward(request)
      if (request.method === 'PATCH' && isSuccess(response)) toggled.add(request.path)
      return isSuccess(response) && toggled.has(request.path)
        ? mapJson(response, (body) => (isObject(body) ? change(body) : body))
        : response
    }
  },
})

const everyConfig: Way = {
  what: 'every configuration listed',
  make: () => () => (request, forward) =>
    forward({ ...request, path: request.path.replace(/\/alerts\/[^/]+\/alertConfigs/, '/alertConfigs') }),
}

const storedTwice: Way = {
  what: 'stored twice',
  make: () => (tools) => async (request, forward) => {
    const response = await forward(request)
    if (isSuccess(response)) await forward(await tools.asOwner(request))
    return response
  },
}

/** Makes lists of configurations reveal notification secrets. All other responses stay correct. */
const secretsListed: Way = {
  what: 'secrets listed',
  reach: 'path',
  make: () => () => {
    const stored = new Map<Json | undefined, Json>()
    const asStored = (one: Json): Json =>
      isObject(one) ? { ...one, notifications: stored.get(one.id) ?? one.notifications ?? [] } : one
    return async (request, forward) => {
      const response = await forward(request)
      const { notifications } = sentIn(request)
      return mapJson(response, (body) => {
        if (!isObject(body)) return body
        if (notifications !== undefined) stored.set(body.id, notifications)
        return isArray(body.results) ? { ...body, results: body.results.map(asStored) } : body
      })
    }
  },
}

/** Makes alert configurations lose fields, keep fields that an update should remove, or reveal secrets. */
export const alertConfigLosses = breaking('alert configurations', {
  'toggleAlertConfig.changes-nothing-else': [
    toggleLoses('matchers', without('matchers')),
    toggleLoses('severityOverride', without('severityOverride')),
    toggleLoses('all notifications but one', (body) => ({
      ...body,
      notifications: listAt(body, 'notifications').slice(0, 1),
    })),
  ],
  'updateAlertConfig.replaces': [
    otherDefault('severityOverride', 'INFO'),
    otherDefault('matchers', [{ fieldName: 'CLUSTER_NAME', operator: 'STARTS_WITH', value: 'contract' }]),
  ],
  'createAlertConfig.stored': [storedTwice],
  'createAlertConfig.secrets-not-returned': [secretsListed],
  'listAlertConfigsByAlert.lists-the-configuration': [everyConfig],
})
