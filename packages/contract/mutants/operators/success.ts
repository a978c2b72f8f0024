import type { RequirementId } from '@svc-admin/types'
import { isObject, type Json, listAt, objectAt } from '../../src/document/json.ts'
import type { Cell } from '../../src/model/api.ts'
import {
  isSuccess,
  mapJson,
  onResponse,
  perCell,
  queryOf,
  unlessPretty,
  withHeader,
  withStatus,
} from '../mutant.ts'
import type { ProxiedRequest, Response } from '../proxy.ts'

const isApi = ({ operation }: Cell): boolean => operation.security === 'api'

const goodCall = (cell: Cell): RequirementId =>
  isApi(cell) ? 'errors.success-status' : 'issueToken.answers-with-token'

const plainSuccess = (response: Response, request: ProxiedRequest): boolean =>
  isSuccess(response) && !queryOf(request).has('envelope') && !queryOf(request).has('pretty')

/** Replaces the documented status of a successful response with a different success status. */
export const otherStatus = perCell('wrong success status', (cell) =>
  [200, 201, 202]
    .filter((status) => status !== cell.row.success)
    .map((status) => ({
      what: String(status),
      hints: [goodCall(cell)],
      make: onResponse(plainSuccess, (response) => withStatus(response, status)),
    })),
)

const otherTypes = ({ row, version }: Cell): string[] => {
  const neighbor =
    version.generation === 'v2'
      ? 'application/vnd.svc.2022-01-01+json'
      : 'application/vnd.svc.2023-01-01+json'
  const plain = row.mediaType === 'application/json' ? [] : ['application/json']
  return ['text/html', neighbor, ...plain, '']
}

/** Changes or removes the media type of a successful response. */
export const otherMediaType = perCell('wrong media type', (cell) =>
  cell.row.hasContent
    ? otherTypes(cell).map((type) => ({
        what: type === '' ? 'none' : type,
        hints: [
          goodCall(cell),
          'versions.content-type-names-resolved' as const,
          'versions.plain-json-served' as const,
        ],
        make: onResponse(isSuccess, (response) =>
          withHeader(response, 'Content-Type', type === '' ? undefined : type),
        ),
      }))
    : [],
)

const headerHints = {
  Vary: 'versions.vary-accept',
  Deprecation: 'versions.deprecated-carries-deprecation',
  Link: 'versions.deprecated-links-successor',
  Sunset: 'versions.sunset-carries-sunset',
  'Cache-Control': 'issueToken.not-cached',
  Pragma: 'issueToken.not-cached',
} as const

/** Removes a header that the OpenAPI document requires from a response. */
export const missingHeader = perCell('missing header', (cell) => {
  const declared = cell.definition.responses.get(cell.row.success)?.headers ?? []
  return declared.flatMap(({ name, required }) => {
    const hint = headerHints[name as keyof typeof headerHints]
    if (!required || hint === undefined) return []
    const make = onResponse(isSuccess, (response) => withHeader(response, name, undefined))
    return [{ what: name, hints: [goodCall(cell), hint], make }]
  })
})

/** Sets the `Deprecation` header to a malformed value. */
export const malformedDeprecation = perCell('malformed Deprecation', (cell) =>
  cell.row.deprecation === undefined
    ? []
    : [
        {
          hints: [goodCall(cell), 'versions.deprecated-carries-deprecation' as const],
          make: onResponse(isSuccess, (response) => withHeader(response, 'Deprecation', 'true')),
        },
      ],
)

/** Makes the body of a successful response invalid JSON. */
export const notJson = perCell('success is no JSON', (cell) =>
  cell.row.hasContent
    ? [
        {
          hints: [goodCall(cell), 'errors.body-valid' as const],
          make: onResponse(isSuccess, (response) => ({ ...response, body: `${response.body.slice(0, -1)}` })),
        },
      ]
    : [],
)

const withoutSelf = (value: Json): Json => {
  if (!isObject(value)) return value
  const links = listAt(value, 'links').filter((link) => !isObject(link) || link.rel !== 'self')
  return { ...value, ...(value.links !== undefined && { links }) }
}

const hasLinks = ({ definition, row }: Cell): boolean =>
  isObject(definition.responses.get(row.success)?.content.get(row.mediaType)?.value.properties) &&
  JSON.stringify(
    definition.responses.get(row.success)?.content.get(row.mediaType)?.value.properties,
  ).includes('"links"')

/** Removes a resource's `self` link. */
export const noSelf = perCell('no link self', (cell) => {
  if (!hasLinks(cell)) return []
  const whole = {
    hints: ['resources.links-self' as const],
    make: onResponse(isSuccess, (response) => mapJson(response, withoutSelf)),
  }
  const items = (body: Json): Json =>
    isObject(body) ? { ...body, results: listAt(body, 'results').map(withoutSelf) } : body
  const inItems = {
    ...whole,
    what: 'items',
    make: onResponse(isSuccess, (response) => mapJson(response, items)),
  }
  return cell.operation.paged ? [whole, inItems] : [whole]
})

/** Makes the `links` field an object instead of an array. */
export const linksAsObject = perCell('links as an object', (cell) => {
  if (!hasLinks(cell)) return []
  const named = (body: Json): Json =>
    isObject(body) && body.links !== undefined ? { ...body, links: { self: 'here' } } : body
  const ofItems = (body: Json): Json =>
    isObject(body) ? { ...body, results: listAt(body, 'results').map(named) } : body
  const hints = ['resources.links-array' as const]
  const whole = { hints, make: onResponse(isSuccess, (response) => mapJson(response, named)) }
  const items = {
    hints,
    what: 'items',
    make: onResponse(isSuccess, (response) => mapJson(response, ofItems)),
  }
  const ofFirst = (body: Json): Json =>
    isObject(body) ? { ...body, results: listAt(body, 'results').map(atFirst) } : body
  const atFirst = (item: Json, index: number): Json => (index === 0 ? named(item) : item)
  const make = unlessPretty(onResponse(isSuccess, (response) => mapJson(response, ofFirst)))
  const first = { hints, what: 'first item', make }
  return cell.operation.paged ? [whole, items, first] : [whole]
})

/** Returns whether the documented example, and therefore the demo organization's response, contains timestamps. */
const hasTimestamps = ({ definition, row }: Cell): boolean => {
  const content = objectAt(definition.responses.get(row.success)?.node, 'content')
  return JSON.stringify(objectAt(content[row.mediaType], 'examples')).match(timestamp) !== null
}

const timestamp = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?Z"/g

/** Adds a UTC offset to timestamps. */
export const localTime = perCell('timestamps not in UTC', (cell) =>
  cell.row.hasContent && hasTimestamps(cell) && isApi(cell)
    ? [
        {
          hints: ['resources.timestamps-utc' as const],
          make: onResponse(isSuccess, (response) => ({
            ...response,
            body: response.body.replace(timestamp, '"$1+02:00"'),
          })),
        },
      ]
    : [],
)

/** Adds a body to the response to a successful deletion. */
export const bodyOnEmpty = perCell('body where there is none', (cell) =>
  cell.row.hasContent
    ? []
    : [
        {
          hints: ['deleteAlertConfig.empty' as const, 'errors.success-status' as const],
          make: onResponse(plainSuccess, (response) => ({ ...withStatus(response, 200), body: '{}' })),
        },
      ],
)
