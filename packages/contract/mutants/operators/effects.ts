// These mutants have effects elsewhere: in lists, in other resources, in other projects or in the other generation.
import {
  isArray,
  isObject,
  type Json,
  listAt,
  parseJson,
  stringAt,
  valueAt,
} from '../../src/document/json.ts'
import type { Cell } from '../../src/model/api.ts'
import { isSuccess, type MutantInput, mapJson, onResponse, perCell } from '../mutant.ts'
import type { ProxiedRequest, Response } from '../proxy.ts'

const isRead = ({ method }: ProxiedRequest): boolean => method === 'GET'

const withResults = (response: Response, change: (items: readonly Json[]) => readonly Json[]): Response =>
  mapJson(response, (body) =>
    isObject(body) && isArray(body.results)
      ? { ...body, results: [...change(listAt(body, 'results'))] }
      : body,
  )

const flipped = (body: Json): Json =>
  isObject(body) && typeof body.enabled === 'boolean' ? { ...body, enabled: !body.enabled } : body

const pathOf = ({ path }: ProxiedRequest): string => path.replace(/\?.*$/, '')

/** Makes lists show a different `enabled` value than the resource itself. */
const listedOtherwise: MutantInput = {
  what: 'list items with another value',
  hints: ['resources.items-read-alike'],
  make: onResponse(isSuccess, (response) => withResults(response, (items) => items.map(flipped))),
}

/** Makes a second resource disappear from the list when a resource is deleted. */
const deletesAnother = (): MutantInput => {
  const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))
  return {
    what: 'deletes another resource',
    hints: ['resources.others-unchanged'],
    reach: 'generation',
    make: () => {
      const without = new Set<string>()
      return async (request, forward) => {
        const response = await forward(request)
        if (request.method === 'DELETE' && isSuccess(response)) without.add(parentOf(pathOf(request)))
        const isShorter = isRead(request) && isSuccess(response) && without.has(pathOf(request))
        return isShorter ? withResults(response, (items) => items.slice(1)) : response
      }
    },
  }
}

/** Makes a change to a project's setting also affect other projects. */
const changesOthers = (what: string, concerns: (request: ProxiedRequest) => boolean): MutantInput => ({
  what,
  hints: ['resources.other-projects-unchanged'],
  reach: 'path',
  make: () => {
    let changed: string | undefined
    return async (request, forward) => {
      const response = await forward(request)
      if (!isRead(request) && isSuccess(response) && concerns(request)) changed = pathOf(request)
      const isOther = isRead(request) && changed !== undefined && changed !== pathOf(request)
      return isOther && isSuccess(response) ? mapJson(response, flipped) : response
    }
  },
})

const settingChanges: readonly MutantInput[] = [
  changesOthers('changes other projects', () => true),
  ...[true, false].map((enabled) =>
    changesOthers(
      `${enabled ? 'enabling' : 'disabling'} changes other projects`,
      ({ body }) => valueAt(parseJson(body ?? '') ?? null, '/enabled') === enabled,
    ),
  ),
]

/** Makes reads return the original create response, even after the resource has changed. */
const keepsFirstState: MutantInput = {
  what: 'reads show the state at creation',
  hints: ['resources.created-change-shows'],
  reach: 'generation',
  make: () => {
    const first = new Map<string, Json>()
    return async (request, forward) => {
      const response = await forward(request)
      if (!isSuccess(response)) return response
      const body = parseJson(response.body)
      const id = stringAt(body, 'id') ?? ''
      if (request.method === 'POST' && body !== undefined) first.set(id, body)
      return isRead(request) ? mapJson(response, (shown) => first.get(id) ?? shown) : response
    }
  },
}

/** If the same create request is sent twice, returns the first response again without creating a second resource. */
const createsOnce: MutantInput = {
  what: 'creates only once',
  hints: ['resources.created-apart'],
  make: () => {
    const earlier = new Map<string, Response>()
    return async (request, forward) => {
      const key = `${request.path} ${request.body}`
      const known = earlier.get(key)
      const response = known ?? (await forward(request))
      if (isSuccess(response)) earlier.set(key, response)
      return response
    }
  },
}

/** Hides resources from one generation's lists if they were created in the other generation. */
const hiddenElsewhere: MutantInput = {
  what: 'not listed in v2',
  hints: ['resources.both-generations'],
  reach: 'other generation',
  make: () => async (request, forward) => {
    const response = await forward(request)
    return isRead(request) && isSuccess(response)
      ? mapJson(
          withResults(response, () => []),
          (body) => (isObject(body) ? { ...body, totalCount: 0 } : body),
        )
      : response
  },
}

const inCell = ({ operation, version }: Cell): readonly MutantInput[] => {
  switch (operation.id) {
    case 'listAlertConfigs':
      return [listedOtherwise]
    case 'deleteAlertConfig':
      return [deletesAnother()]
    case 'updateCustomDns':
      return settingChanges
    case 'toggleAlertConfig':
      return [keepsFirstState]
    case 'createAlertConfig':
      return version.generation === 'v1.0' ? [createsOnce, hiddenElsewhere] : [createsOnce]
    default:
      return []
  }
}

export const effects = perCell('effects', inCell)
