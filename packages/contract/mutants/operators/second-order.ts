/**
 * Only checks that combine two steps, or a parameter with a field, can detect these mutants. For example, a check can
 * change a resource and then read it. The mutants are generated from the requirements and the OpenAPI documents.
 */
import type { RequirementId } from '@svc-admin/types'
import { isArray, isObject, type Json, type JsonObject, listAt, objectAt } from '../../src/document/json.ts'
import { flatten } from '../../src/document/probes.ts'
import type { Cell } from '../../src/model/api.ts'
import { outsideOf, type Requirement, requirements } from '../../src/model/requirement.ts'
import {
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
import type { ProxiedRequest, Response } from '../proxy.ts'

const pathOf = ({ path }: ProxiedRequest): string => path.split('?')[0] ?? ''

const reads = ({ method }: ProxiedRequest): boolean => method === 'GET'

const isRequirementId = (id: string): id is RequirementId => requirements().has(id)

/** Returns the requirements from the specification that apply to this operation and version. */
const ownRequirements = (cell: Cell): Requirement[] =>
  [...requirements().values()].filter(
    (row) =>
      row.strength === 'stated' &&
      row.excluded === undefined &&
      row.operations?.includes(cell.operation.id) &&
      outsideOf(row, cell) === undefined,
  )

const idsOf = (rows: readonly Requirement[]): RequirementId[] =>
  rows.map(({ id }) => id).filter(isRequirementId)

/** Returns the fields of a successful response. If a field is an enumeration, also returns its values. */
const responseFields = ({ definition, row, version }: Cell): ReadonlyMap<string, readonly Json[]> => {
  const place = definition.responses.get(row.success)?.content.get(row.mediaType)
  if (place === undefined) return new Map()
  const { document } = version
  const properties = Object.keys(objectAt(flatten(document, place), 'properties'))
  return new Map(
    properties.map((name) => {
      const schema = flatten(document, document.follow(`${place.pointer}/properties/${name}`))
      return [name, listAt(schema, 'enum')]
    }),
  )
}

const day = 24 * 3600 * 1000

const otherText = (text: string): string => {
  const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(time)) return new Date(time + day).toISOString().replace('.000Z', 'Z')
  return /^[0-9a-f]{24}$/.test(text) ? text.replace(/.$/, (last) => (last === '0' ? '1' : '0')) : `${text}x`
}

/** Returns a different value that is also valid for the field, or `undefined` if none is known. */
const otherValue = (value: Json | undefined, choices: readonly Json[]): Json | undefined => {
  if (choices.length > 0) return choices.find((choice) => choice !== value)
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (typeof value === 'string') return otherText(value)
  return isArray(value) && value.length > 0 ? value.slice(0, -1) : undefined
}

const withOther = (body: Json, name: string, choices: readonly Json[]): Json => {
  const other = isObject(body) ? otherValue(body[name], choices) : undefined
  return other === undefined || !isObject(body) ? body : { ...body, [name]: other }
}

const names = ({ text }: Requirement, field: string): boolean =>
  new RegExp(`(?<![\\w.])${field}(?!\\w)`).test(text)

/** Sets a field that a requirement mentions to a wrong value, either in the response or in later reads. */
const fieldsOf = (cell: Cell): MutantInput[] =>
  [...responseFields(cell)].flatMap(([field, choices]): MutantInput[] => {
    const hints = idsOf(ownRequirements(cell).filter((row) => names(row, field)))
    if (hints.length === 0) return []
    const change = (response: Response): Response =>
      mapJson(response, (body) => withOther(body, field, choices))
    const inResponse: MutantInput = {
      what: `other ${field} in the response`,
      hints: cell.operation.method === 'GET' ? hints : [...hints, 'resources.change-shows'],
      make: unlessPretty(onResponse(isSuccess, change)),
    }
    if (cell.operation.method === 'GET') return [inResponse]
    const afterwards: MutantInput = {
      what: `other ${field} when read afterwards`,
      hints: [...hints, 'resources.change-shows'],
      reach: 'generation',
      make: unlessPretty(() => {
        const changed = new Set<string>()
        return async (request, forward) => {
          const response = await forward(request)
          if (!isSuccess(response)) return response
          if (!reads(request) && isAt(cell, request)) changed.add(placeOf(request, response))
          return reads(request) && changed.has(pathOf(request)) ? change(response) : response
        }
      }),
    }
    return [inResponse, afterwards]
  })

const isAt = ({ operation, version }: Cell, request: ProxiedRequest): boolean => {
  const template = (operation.absolute ? '' : version.prefix) + operation.path
  const pattern = new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
  return request.method === operation.method && pattern.test(pathOf(request))
}

const placeOf = (request: ProxiedRequest, response: Response): string => {
  const body = jsonOf(response)
  const id = isObject(body) ? (body.id ?? body._id ?? body.roleId) : undefined
  const path = pathOf(request)
  return request.method === 'POST' && typeof id === 'string' && !path.includes(id) ? `${path}/${id}` : path
}

const readOf = ({ headers, ...request }: ProxiedRequest, path: string): ProxiedRequest => ({
  ...request,
  method: 'GET',
  path,
  headers: headers.filter(([name]) => !/^content-/i.test(name)),
  body: undefined,
})

/** Returns the paths where a change must be visible: the resource and, after a deletion, its list. */
const affectedBy = (cell: Cell, all: readonly Cell[]): string[] => {
  const { path, method } = cell.operation
  const list = path.slice(0, path.lastIndexOf('/'))
  const has = (wanted: string): boolean =>
    all.some(({ operation }) => operation.method === 'GET' && operation.path === wanted)
  return [path, ...(method === 'DELETE' ? [list] : [])].filter(has)
}

/** Makes the first read after a change return the previous state. */
const staleReads = (cell: Cell, all: readonly Cell[]): MutantInput[] => {
  const hints = idsOf(ownRequirements(cell))
  if (cell.operation.method === 'GET' || hints.length === 0) return []
  return affectedBy(cell, all).map((path) => ({
    what: `old state at ${path.split('/').slice(-2).join('/')}`,
    hints: [...hints, 'resources.change-shows'],
    reach: 'generation',
    make: unlessPretty(() => {
      const old = new Map<string, Response>()
      const depth = cell.operation.path.split('/').length - path.split('/').length
      return async (request, forward) => {
        const own = pathOf(request)
        if (isAt(cell, request)) {
          const place = own
            .split('/')
            .slice(0, own.split('/').length - depth)
            .join('/')
          const before = await forward(readOf(request, place))
          const response = await forward(request)
          if (isSuccess(before) && isSuccess(response)) old.set(place, before)
          return response
        }
        const before = reads(request) && queryOf(request).size === 0 ? old.get(own) : undefined
        if (before === undefined) return forward(request)
        old.delete(own)
        return before
      }
    }),
  }))
}

/** Makes the server ignore a repeated request and return the first response again. */
const repetitions = (cell: Cell): MutantInput[] => {
  const hints = idsOf(ownRequirements(cell)).filter((id) =>
    /twice|ended|already|in-progress|duplicate|unique|one-at-a-time|refused/.test(id),
  )
  if (cell.operation.method === 'GET' || hints.length === 0) return []
  return [
    {
      what: 'the first response again',
      hints,
      make: () => {
        const first = new Map<string, Response>()
        return async (request, forward) => {
          const key = `${request.path} ${request.body}`
          const known = first.get(key)
          if (known) return known
          const response = await forward(request)
          if (isSuccess(response) && isAt(cell, request)) first.set(key, response)
          return response
        }
      },
    },
  ]
}

const mapList = (response: Response, change: (body: JsonObject, count: number) => Json): Response =>
  mapJson(response, (body) =>
    isObject(body) && typeof body.totalCount === 'number' ? change(body, body.totalCount) : body,
  )

const hasNext = (body: JsonObject): boolean =>
  listAt(body, 'links').some((link) => isObject(link) && link.rel === 'next')

/** Makes a list's `totalCount` wrong, but only on the last page, after a deletion, or with a filter. */
const counts = (cell: Cell, all: readonly Cell[]): MutantInput[] => {
  const { operation, version, definition } = cell
  if (!operation.paged) return []
  const hints = ['paging.total-count'] as const
  const removers = all.filter(
    (one) =>
      one.operation.method === 'DELETE' &&
      one.version.id === version.id &&
      one.operation.path.replace(/\/\{\w+\}$/, '') === operation.path,
  )
  const filters = definition.parameters.filter(({ name }) => name === 'status')
  return [
    {
      what: 'count of the last page',
      hints,
      make: unlessPretty(() => async (request, forward) => {
        const response = await forward(request)
        const isLater = Number(queryOf(request).get('pageNum') ?? 1) > 1
        return mapList(response, (body, count) =>
          isLater && !hasNext(body) ? { ...body, totalCount: count + 1 } : body,
        )
      }),
    },
    ...removers.map(
      (remover): MutantInput => ({
        what: `count after ${remover.operation.id}`,
        hints,
        reach: 'generation',
        make: unlessPretty(() => {
          const removed = new Map<string, number>()
          return async (request, forward) => {
            const response = await forward(request)
            if (isAt(remover, request) && isSuccess(response)) {
              const list = pathOf(request).split('/').slice(0, -1).join('/')
              removed.set(list, (removed.get(list) ?? 0) + 1)
            }
            const more = reads(request) ? (removed.get(pathOf(request)) ?? 0) : 0
            return more === 0
              ? response
              : mapList(response, (body, count) => ({ ...body, totalCount: count + more }))
          }
        }),
      }),
    ),
    ...filters.map(
      ({ name }): MutantInput => ({
        what: `count without ${name}`,
        hints,
        make: unlessPretty(() => async (request, forward) => {
          const response = await forward(request)
          if (!queryOf(request).has(name)) return response
          const whole = await forward(withQuery(request, (query) => query.delete(name)))
          const body = jsonOf(whole)
          const count = isObject(body) ? body.totalCount : undefined
          return count === undefined ? response : mapList(response, (own) => ({ ...own, totalCount: count }))
        }),
      }),
    ),
  ]
}

/** Removes a required field from the response, but only if the request sets a certain parameter. */
const absentWith = (cell: Cell): MutantInput[] => {
  const place = cell.definition.responses.get(cell.row.success)?.content.get(cell.row.mediaType)
  if (cell.operation.method !== 'GET' || place === undefined) return []
  const required = listAt(flatten(cell.version.document, place), 'required').map(String)
  const flags = cell.definition.parameters.filter(
    (one) => one.in === 'query' && one.schema.value.type === 'boolean' && one.name !== 'pretty',
  )
  return flags.flatMap(({ name, schema }) =>
    required
      .filter((field) => field !== 'totalCount')
      .map((field) => ({
        what: `no ${field} with ${name}`,
        hints: ['errors.body-complete'] as const,
        make: unlessPretty(() => async (request, forward) => {
          const response = await forward(request)
          const isSet = queryOf(request).get(name) === String(schema.value.default !== true)
          if (!isSet || !isSuccess(response)) return response
          return mapJson(response, (body) => {
            if (!isObject(body)) return body
            const { content } = body
            const { [field]: _, ...rest } = isObject(content) ? content : body
            return isObject(content) ? { ...body, content: rest } : rest
          })
        }),
      })),
  )
}

/** Mutants that are visible only in combination with a second request, field or parameter. */
export const secondOrder = {
  name: 'second order',
  mutants: (cells: readonly Cell[]) =>
    perCell('second order', (cell) =>
      cell.operation.security === 'api'
        ? [
            ...fieldsOf(cell),
            ...staleReads(cell, cells),
            ...repetitions(cell),
            ...counts(cell, cells),
            ...absentWith(cell),
          ]
        : [],
    ).mutants(cells),
}
