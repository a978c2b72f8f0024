import type { RequirementId, roles } from '@svc-admin/types'
import {
  isArray,
  isObject,
  type Json,
  listAt,
  objectAt,
  parseJson,
  valueAt,
} from '../../src/document/json.ts'
import type { Cell } from '../../src/model/api.ts'
import { outsideOf, requirementOf } from '../../src/model/requirement.ts'
import { clusterOfRequest, holderOfRequest } from '../holders.ts'
import {
  errorResponse,
  isSuccess,
  type Mutant,
  type MutantInput,
  mapJson,
  type Operator,
  onResponse,
  perCell,
} from '../mutant.ts'
import type { Interference, ProxiedRequest, Response } from '../proxy.ts'

export type Body = Readonly<Record<string, Json>>

/** A way for a server to break a requirement. */
export interface Way {
  readonly what: string
  readonly make: (cell: Cell) => Mutant['make']
  readonly reach?: MutantInput['reach']
  /**
   * The operations in which to introduce this bug. By default, these are all operations that the requirement applies
   * to.
   */
  readonly at?: readonly string[]
}

/** For each requirement, the ways in which a server can violate it. */
export type Ways = { readonly [Id in RequirementId]?: readonly Way[] }

const isIn = (id: string, cell: Cell, { at }: Way): boolean =>
  outsideOf(requirementOf(id), cell) === undefined && (at === undefined || at.includes(cell.operation.id))

/**
 * Creates an operator from a table of requirements. Each of the operator's mutants breaks one requirement for one
 * operation.
 */
export const breaking = (name: string, table: Ways): Operator =>
  perCell(name, (cell) =>
    Object.entries(table).flatMap(([id, ways]) =>
      ways
        .filter((way) => isIn(id, cell, way))
        .map(({ what, make, reach }) => ({
          what: `${id}: ${what}`,
          hints: [id as RequirementId],
          make: make(cell),
          ...(reach && { reach }),
        })),
    ),
  )

/** Returns a request's body, or an empty object if the body isn't an object. */
export const sentIn = (request: ProxiedRequest): Body => {
  const body = request.body === undefined ? undefined : parseJson(request.body)
  return isObject(body) ? body : {}
}

export const without =
  (...names: readonly string[]) =>
  (body: Body): Body =>
    Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))

export const unknownId = 'f'.repeat(24)

type Concerns = (body: Body, request: ProxiedRequest) => boolean
const always: Concerns = () => true

/** Changes the response so that it differs from what the server has stored. */
export const changedResponse = (
  what: string,
  change: (body: Body, sent: Body) => Json,
  concerns: (body: Body) => boolean = () => true,
): Way => ({
  what,
  make: () =>
    onResponse(isSuccess, (response, request) =>
      mapJson(response, (body) => (isObject(body) && concerns(body) ? change(body, sentIn(request)) : body)),
    ),
})

/**
 * Sets a field in the response to the given value. If `before` is given, changes the field only if it has that value.
 */
export const responseField = (name: string, value: Json, before?: Json): Way =>
  changedResponse(
    `${name} is ${JSON.stringify(value)}`,
    (body) => ({ ...body, [name]: value }),
    (body) => before === undefined || body[name] === before,
  )

export const withoutResponseFields = (...names: readonly string[]): Way =>
  changedResponse(`no ${names.join(', ')}`, without(...names))

/** Changes the request before it reaches the server. */
export const changedRequest = (
  what: string,
  change: (body: Body) => Json,
  concerns: Concerns = always,
  make?: Interference,
): Way => ({
  what,
  make: () => () =>
    make ??
    ((request, forward) =>
      forward(
        request.body !== undefined && isObject(parseJson(request.body)) && concerns(sentIn(request), request)
          ? { ...request, body: JSON.stringify(change(sentIn(request))) }
          : request,
      )),
})

/** Makes the server ignore these fields instead of storing them. */
export const ignoredFields = (...names: readonly string[]): Way =>
  changedRequest(`${names.join(', ')} forgotten`, without(...names))

/** Makes the server invert a flag if a request sends the flag's current value again. */
export const flippingFlag =
  (name: string): Mutant['make'] =>
  () => {
    const last = new Map<string, Json>()
    return (request, forward) => {
      const { [name]: flag, ...rest } = sentIn(request)
      if (typeof flag !== 'boolean') return forward(request)
      const flipped = last.get(request.path) === flag ? !flag : flag
      last.set(request.path, flipped)
      return forward({ ...request, body: JSON.stringify({ ...rest, [name]: flipped }) })
    }
  }

export const flippedFlag = (name: string): Way => ({
  what: `${name} turned over`,
  make: () => flippingFlag(name),
})

/** Makes the server use a wrong default if a request omits the field. */
export const otherDefault = (name: string, value: Json): Way =>
  changedRequest(`${name} ${JSON.stringify(value)} by default`, (body) => ({ [name]: value, ...body }))

/** Makes the server accept an invalid body. The proxy corrects the body before it reaches the server. */
export const acceptsInvalid = (what: string, concerns: Concerns, repair: (body: Body) => Json): Way =>
  changedRequest(`${what} taken`, repair, concerns)

export const optional = (name: string, value: Json, concerns: (body: Body) => boolean = () => true): Way =>
  acceptsInvalid(
    `no ${name}`,
    (body) => !(name in body) && concerns(body),
    (body) => ({ ...body, [name]: value }),
  )

export const refused = (
  what: string,
  concerns: Concerns = always,
  [status, code]: readonly [number, string] = [400, 'VALIDATION_ERROR'],
): Way => ({
  what: `${what} rejected`,
  make: () => () => async (request, forward) =>
    concerns(sentIn(request), request) ? errorResponse(status, code, 'Refused') : forward(request),
})

/** Creates a successful response from the documented example. */
const pretense = ({ definition, row }: Cell): Response => {
  const content = objectAt(definition.responses.get(row.success)?.node, 'content')
  const [shown] = Object.values(objectAt(objectAt(content, row.mediaType), 'examples'))
  const example = isObject(shown) ? shown.value : undefined
  return {
    status: row.success,
    headers: [['Content-Type', row.mediaType]],
    body: example === undefined ? '' : JSON.stringify(example),
  }
}

/** Reports success without forwarding the request to the server. */
export const pretended: Way = {
  what: 'only pretended',
  make: (cell) => () => async () => pretense(cell),
}

/** Reports success if the server rejects the request with the given status. */
export const granted = (status: number, what = `${status}`, concerns: Concerns = always): Way => ({
  what: `${what} granted`,
  make: (cell) =>
    onResponse(
      (response, request) => response.status === status && concerns(sentIn(request), request),
      () => pretense(cell),
    ),
})

/** If the server rejects a request with the given status, returns the last successful response again. */
export const allowedAgain = (status: number): Way => ({
  what: 'allowed again',
  make: () => () => {
    let last: Response | undefined
    return async (request, forward) => {
      const response = await forward(request)
      if (isSuccess(response)) last = response
      return response.status === status && last !== undefined ? last : response
    }
  },
})

/** Accepts the first request with each key and rejects all later requests with the same key. */
export const onlyFirst = (
  what: string,
  keyOf: (request: ProxiedRequest) => string,
  [status, code]: readonly [number, string],
): Way => ({
  what,
  make: () => () => {
    const served = new Set<string>()
    return async (request, forward) => {
      if (served.has(keyOf(request))) return errorResponse(status, code, 'Refused')
      const response = await forward(request)
      if (isSuccess(response)) served.add(keyOf(request))
      return response
    }
  },
})

/** After rejecting one request, rejects all later requests for the same path. */
export const unforgiving: Way = {
  what: 'rejected forever',
  make: () => () => {
    const refusals = new Map<string, Response>()
    return async (request, forward) => {
      const before = refusals.get(request.path)
      if (before !== undefined) return before
      const response = await forward(request)
      if (response.status === 400 || response.status === 409) refusals.set(request.path, response)
      return response
    }
  },
}

/** Changes the items of a list. Supports both pages and plain arrays. */
const listed = (what: string, change: (items: readonly Json[]) => Json): Way => ({
  what,
  make: () =>
    onResponse(isSuccess, (response) =>
      mapJson(response, (body) => {
        if (isArray(body)) return change(body)
        return isObject(body) ? { ...body, results: change(listAt(body, 'results')) } : body
      }),
    ),
})

/** Adds an item to a list or removes one. */
export const wrongItems = (id: string): readonly Way[] => [
  listed('one is missing', (items) => items.slice(0, -1)),
  listed('one too many', (items) => [...items, { ...(isObject(items[0]) ? items[0] : {}), [id]: unknownId }]),
]

export const paged: Way = listed('a page', (items) => ({ results: items }))

export const another = (id: string): Way => responseField(id, unknownId)

/** Returns whether the sender has the given role. */
export const heldBy =
  (role: keyof typeof roles): Concerns =>
  (_, request) =>
    holderOfRequest(request) === role

/** Returns whether the cluster in the path meets a condition. Only works for clusters that the kit has seeded. */
export const ofCluster =
  (concerns: (cluster: Body) => boolean): Concerns =>
  (_, request) => {
    const cluster = clusterOfRequest(request)
    return cluster !== undefined && concerns(cluster)
  }

export const textIn = (body: Body, name: string): string => String(valueAt(body, `/${name}`) ?? '')
