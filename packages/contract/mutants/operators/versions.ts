import type { RequirementId } from '@svc-admin/types'
import { isObject } from '../../src/document/json.ts'
import type { Cell } from '../../src/model/api.ts'
import {
  errorResponse,
  insteadOf,
  isSuccess,
  type MutantInput,
  mapJson,
  onResponse,
  perCell,
  requestHeader,
  withHeader,
  withRequestHeader,
} from '../mutant.ts'
import type { ProxiedRequest } from '../proxy.ts'

const dateIn = (value: string | undefined): string | undefined =>
  /vnd\.svc\.([^+;,]+)\+json/i.exec(value ?? '')?.[1]

const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)

const accept = (request: ProxiedRequest): string => requestHeader(request, 'Accept') ?? ''

/** Corrects a request's media types. As a result, a request that should be rejected succeeds. */
const served = (status: number, concerns: (request: ProxiedRequest) => boolean, cell: Cell) =>
  insteadOf(
    (response, request) => response.status === status && concerns(request),
    (request) => {
      const chosen = withRequestHeader(request, 'Accept', cell.row.mediaType)
      return cell.row.hasBody ? withRequestHeader(chosen, 'Content-Type', cell.row.requestMediaType) : chosen
    },
  )

const unchosen = (value: string | undefined): boolean => dateIn(value) === undefined

interface Served {
  readonly what: string
  readonly hint: RequirementId
  readonly status: number
  readonly concerns: (request: ProxiedRequest) => boolean
}

const first = ({ operation }: Cell): string =>
  Object.keys(operation.versions).find((id) => /^\d{4}/.test(id)) ?? ''

const dayBefore = (date: string): string =>
  new Date(Date.parse(date) - 24 * 3600 * 1000).toISOString().slice(0, 10)

const v2Served = (cell: Cell): Served[] => [
  {
    what: 'future date',
    hint: 'versions.future-date-refused',
    status: 406,
    concerns: (request) => (dateIn(accept(request)) ?? '') > '2900',
  },
  {
    what: 'impossible date',
    hint: 'versions.impossible-date-refused',
    status: 400,
    concerns: (request) => !isDate(dateIn(accept(request)) ?? '2000-01-01'),
  },
  ...(first(cell) === cell.version.id
    ? [
        {
          what: 'date before the first',
          hint: 'versions.date-before-first-refused' as const,
          status: 406,
          concerns: (request: ProxiedRequest) => (dateIn(accept(request)) ?? '9') < first(cell),
        },
        {
          what: 'day before the first',
          hint: 'versions.date-before-first-refused' as const,
          status: 406,
          concerns: (request: ProxiedRequest) => dateIn(accept(request)) === dayBefore(first(cell)),
        },
      ]
    : []),
  {
    what: 'no Accept',
    hint: 'versions.must-be-chosen',
    status: 406,
    concerns: (request) => requestHeader(request, 'Accept') === undefined,
  },
  {
    what: 'wildcard',
    hint: 'versions.must-be-chosen',
    status: 406,
    concerns: (request) => accept(request).startsWith('*/*'),
  },
  {
    what: 'application/*',
    hint: 'versions.must-be-chosen',
    status: 406,
    concerns: (request) => accept(request) === 'application/*',
  },
  {
    what: 'plain JSON',
    hint: 'versions.must-be-chosen',
    status: 406,
    concerns: (request) => accept(request) === 'application/json',
  },
  {
    what: 'another type',
    hint: 'versions.must-be-chosen',
    status: 406,
    concerns: (request) => unchosen(accept(request)) && accept(request).startsWith('text/'),
  },
  {
    what: 'quality 0',
    hint: 'versions.best-quality-wins',
    status: 406,
    concerns: (request) => /q=0$/.test(accept(request)),
  },
]

const v1Served: readonly Served[] = ['text/html', 'application/xml', 'vnd.svc', 'q=0'].map((part) => ({
  what: `Accept ${part}`,
  hint: 'versions.plain-other-accept-refused',
  status: 406,
  concerns: (request) =>
    accept(request).includes(part) && !accept(request).includes('text/html, application/json'),
}))

const isV2 = ({ version }: Cell): boolean => version.generation === 'v2'

const isApi = ({ operation }: Cell): boolean => operation.security === 'api'

/** Makes requests succeed even though they select no version or an unknown version. */
export const servesUnasked = perCell('version served that there is not', (cell) =>
  isApi(cell)
    ? (isV2(cell) ? v2Served(cell) : v1Served).map(({ what, hint, status, concerns }) => ({
        what,
        hints: [hint],
        make: served(status, concerns, cell),
      }))
    : [],
)

const refusing = (concerns: (request: ProxiedRequest, cell: Cell) => boolean, cell: Cell) =>
  onResponse(
    (response, request) => isSuccess(response) && concerns(request, cell),
    () => errorResponse(406, 'NOT_ACCEPTABLE', 'Not Acceptable'),
  )

/**
 * The checks for one of these requirements should detect the mutant. Which requirement applies depends on whether the
 * specification lists the operation's own version, a different version or no version.
 */
const servedAsAsked: readonly RequirementId[] = [
  'versions.own-date-served',
  'versions.next-date-served',
  'versions.first-date-served',
]

const nextOf = ({ operation, version }: Cell): string | undefined =>
  Object.keys(operation.versions).find((id) => /^\d{4}/.test(id) && id > version.id)

interface Refused {
  readonly what: string
  /** Returns whether this error is possible for the operation and version. */
  readonly at?: (cell: Cell) => boolean
  readonly hints: readonly RequirementId[]
  readonly concerns: (request: ProxiedRequest, cell: Cell) => boolean
}

const v2Refused: readonly Refused[] = [
  {
    what: 'own date',
    hints: servedAsAsked,
    concerns: (request, { row }) => accept(request) === row.mediaType,
  },
  {
    what: 'later date',
    hints: ['versions.later-date-resolves-to-newest-before'],
    concerns: (request, { version }) => (dateIn(accept(request)) ?? '') > version.id,
  },
  {
    what: 'day before the next',
    hints: ['versions.later-date-resolves-to-newest-before'],
    at: (cell) => nextOf(cell) !== undefined,
    concerns: (request, cell) => dateIn(accept(request)) === dayBefore(nextOf(cell) ?? ''),
  },
  {
    what: 'capitals',
    hints: ['versions.media-type-case-insensitive'],
    concerns: (request) => /VND/.test(accept(request)),
  },
  {
    what: 'list',
    hints: ['versions.best-quality-wins'],
    concerns: (request) => accept(request).includes(','),
  },
  {
    what: 'quality',
    hints: ['versions.best-quality-wins'],
    concerns: (request) => accept(request).includes('q='),
  },
]

const v1Refused: readonly Refused[] = [
  {
    what: 'plain JSON',
    hints: ['versions.plain-json-served'],
    concerns: (request) => accept(request) === 'application/json',
  },
  {
    what: 'no Accept',
    hints: ['versions.plain-json-unasked-served'],
    concerns: (request) => requestHeader(request, 'Accept') === undefined,
  },
  {
    what: 'wildcard',
    hints: ['versions.plain-json-unasked-served'],
    concerns: (request) => accept(request) === '*/*',
  },
  {
    what: 'application/*',
    hints: ['versions.plain-json-unasked-served'],
    concerns: (request) => accept(request) === 'application/*',
  },
  {
    what: 'list',
    hints: ['versions.plain-json-unasked-served'],
    concerns: (request) => accept(request).includes(','),
  },
  {
    what: 'capitals',
    hints: ['versions.media-type-case-insensitive'],
    concerns: (request) => /JSON/.test(accept(request)),
  },
]

/** Makes the server reject requests for a valid version. */
export const refusesAsked = perCell('version refused that there is', (cell) =>
  isApi(cell)
    ? (isV2(cell) ? v2Refused : v1Refused)
        .filter(({ at }) => at?.(cell) ?? true)
        .map(({ what, hints, concerns }) => ({ what, hints, make: refusing(concerns, cell) }))
    : [],
)

/** Replaces the error for an unavailable version, or removes the available versions from the error. */
export const poorRefusal = perCell('poor refusal of a version', (cell) =>
  isApi(cell) && isV2(cell)
    ? [
        {
          what: 'versions not listed',
          hints: ['versions.must-be-chosen' as const],
          make: onResponse(
            ({ status }) => status === 406,
            (response) => mapJson(response, (body) => (isObject(body) ? { ...body, detail: 'No.' } : body)),
          ),
        },
        {
          what: 'impossible date is 406',
          hints: ['versions.impossible-date-refused' as const],
          make: onResponse(
            ({ status, body }) => status === 400 && body.includes('INVALID_VERSION_DATE'),
            () => errorResponse(406, 'NOT_ACCEPTABLE', 'Not Acceptable'),
          ),
        },
        {
          what: 'unsupported is 400',
          hints: ['versions.future-date-refused' as const],
          make: onResponse(
            ({ status }) => status === 406,
            () => errorResponse(400, 'VALIDATION_ERROR', 'Bad Request'),
          ),
        },
      ]
    : [],
)

const otherVersion = (cell: Cell): string | undefined =>
  Object.keys(cell.operation.versions).find((id) => /^\d{4}/.test(id) && id !== cell.version.id)

const mismatches = (cell: Cell): MutantInput[] => [
  {
    what: 'Content-Type not compared',
    hints: ['versions.body-version-must-match'],
    make: insteadOf(
      ({ body }) => body.includes('VERSION_MISMATCH'),
      (request) => withRequestHeader(request, 'Content-Type', cell.row.requestMediaType),
    ),
  },
  {
    what: 'mismatch is 415',
    hints: ['versions.body-version-must-match'],
    make: onResponse(
      ({ body }) => body.includes('VERSION_MISMATCH'),
      () => errorResponse(415, 'UNSUPPORTED_MEDIA_TYPE', 'Unsupported Media Type'),
    ),
  },
]

/** Makes the server select the wrong version if an operation has two versions. */
export const resolvesWrongly = perCell('version resolved wrongly', (cell) => {
  const other = otherVersion(cell)
  if (!isApi(cell) || other === undefined || !isV2(cell)) return []
  const type = `application/vnd.svc.${other}+json`
  const rewritten =
    (concerns: (request: ProxiedRequest) => boolean): MutantInput['make'] =>
    () =>
    async (request, forward) => {
      if (!concerns(request)) return forward(request)
      const changed = withRequestHeader(withRequestHeader(request, 'Accept', type), 'Content-Type', type)
      return forward(changed)
    }
  return [
    {
      what: 'later date',
      hints: ['versions.later-date-resolves-to-newest-before' as const],
      make: rewritten((request) => (dateIn(accept(request)) ?? '') > cell.version.id),
    },
    {
      what: 'own date',
      hints: servedAsAsked,
      make: rewritten((request) => accept(request) === cell.row.mediaType),
    },
    {
      what: 'first range instead of the best',
      hints: ['versions.best-quality-wins' as const],
      make: rewritten((request) => accept(request).includes(`${other}+json;q=0.2`)),
    },
    ...(cell.row.hasBody ? mismatches(cell) : []),
    {
      what: 'other type named',
      hints: [...servedAsAsked, 'versions.content-type-names-resolved' as const],
      make: onResponse(isSuccess, (response) => withHeader(response, 'Content-Type', type)),
    },
  ]
})

const resolves = (cell: Cell, date: string): boolean =>
  date >= first(cell) && date <= new Date().toISOString().slice(0, 10)

const refusedTypes: readonly (readonly [string, RequirementId, RegExp])[] = [
  ['own version refused', 'versions.body-version-taken', /^application\/vnd/],
  ['plain JSON refused', 'versions.body-plain-json-accepted', /^application\/json$/],
  ['plain JSON with charset', 'versions.body-plain-json-accepted', /^application\/json;/],
]

/** Makes the server accept bodies with the wrong media type, or reject bodies with the correct media type. */
export const wrongContentType = perCell('media type of the body', (cell) => {
  if (!isApi(cell) || !cell.row.hasBody) return []
  const contentType = (request: ProxiedRequest) => requestHeader(request, 'Content-Type')
  const types = [
    undefined,
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'nonsense',
    'utf-16',
    ...(isV2(cell) ? [] : ['vnd.svc']),
  ]
  const accepted = types.map((type) => ({
    what: `${type ?? 'none'} taken`,
    hints: ['versions.body-other-type-refused' as const],
    make: insteadOf(
      ({ status }, request) =>
        status === 415 &&
        (type === undefined
          ? contentType(request) === undefined
          : (contentType(request)?.includes(type) ?? false)),
      (request) => withRequestHeader(request, 'Content-Type', cell.row.requestMediaType),
    ),
  }))
  const unsupported = errorResponse(415, 'UNSUPPORTED_MEDIA_TYPE', 'Unsupported Media Type')
  const refused = (what: string, hint: RequirementId, pattern: RegExp) => ({
    what,
    hints: [hint],
    make: onResponse(
      (response, request) => isSuccess(response) && pattern.test(contentType(request) ?? ''),
      () => unsupported,
    ),
  })
  const charset = isV2(cell) ? 'versions.body-version-taken' : 'versions.plain-body-charset-taken'
  const ofNoVersion = {
    what: 'date that resolves to nothing taken',
    hints: ['versions.body-version-must-match' as const],
    make: insteadOf(
      ({ body }, request) =>
        body.includes('VERSION_MISMATCH') && !resolves(cell, dateIn(contentType(request)) ?? ''),
      (request) => withRequestHeader(request, 'Content-Type', cell.row.requestMediaType),
    ),
  }
  return [
    ...accepted,
    ...(isV2(cell) ? [ofNoVersion] : []),
    refused('charset refused', charset, isV2(cell) ? /vnd.*charset/i : /charset/i),
    ...(isV2(cell) ? refusedTypes.map((one) => refused(...one)) : []),
  ]
})
