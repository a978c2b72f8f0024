import { isObject, type Json, listAt } from '../../src/document/json.ts'
import { returnsArray } from '../../src/judges/envelope.ts'
import type { Cell } from '../../src/model/api.ts'
import {
  isSuccess,
  type MutantInput,
  mapJson,
  onResponse,
  perCell,
  queryOf,
  withJson,
  withQuery,
  withStatus,
} from '../mutant.ts'
import type { ProxiedRequest, Response } from '../proxy.ts'

const asks = (request: ProxiedRequest, flag: string): boolean => queryOf(request).get(flag) === 'true'

const ignoring =
  (flag: string): MutantInput['make'] =>
  () =>
  (request, forward) =>
    forward(asks(request, flag) ? withQuery(request, (query) => query.delete(flag)) : request)

/** Treats a flag as `true` even if the request omits it or sets it to `false`. */
const always =
  (flag: string): MutantInput['make'] =>
  () =>
  (request, forward) =>
    forward(
      request.path.includes(`${flag}=`) && !request.path.includes(`${flag}=false`)
        ? request
        : withQuery(request, (query) => query.set(flag, 'true')),
    )

const enveloped = (change: (response: Response, request: ProxiedRequest) => Response) =>
  onResponse((_, request) => asks(request, 'envelope'), change)

const fields = (response: Response, change: (body: Readonly<Record<string, Json>>) => Json): Response =>
  mapJson(response, (body) => (isObject(body) ? change(body) : body))

const inner = (cell: Cell) => {
  if (!cell.row.hasContent) return 'envelope.empty-success' as const
  if (returnsArray(cell)) return 'envelope.array-in-results' as const
  return cell.operation.paged
    ? ('envelope.list-in-results' as const)
    : ('envelope.resource-in-content' as const)
}

/** Makes the server ignore the `envelope` flag for certain errors, such as authentication errors. */
const errorsOutside = ([401, 404] as const).map(
  (status): MutantInput => ({
    what: `${status} not in the envelope`,
    hints: ['envelope.error-in-content'],
    make: enveloped((response) =>
      response.status === status ? fields(response, (body) => body.content ?? body) : response,
    ),
  }),
)

const apiEnvelope = (cell: Cell): MutantInput[] => [
  { what: 'envelope ignored', hints: [inner(cell), 'envelope.status-member'], make: ignoring('envelope') },
  { what: 'envelope always', hints: ['envelope.default-false'], make: always('envelope') },
  {
    what: 'status of the envelope wrong',
    hints: ['envelope.status-member'],
    make: enveloped((response) => fields(response, (body) => ({ ...body, status: 299 }))),
  },
  {
    what: 'no status in the envelope',
    hints: ['envelope.status-member'],
    make: enveloped((response) => fields(response, ({ status: _, ...rest }) => rest)),
  },
  {
    what: 'content under another name',
    hints: [inner(cell)],
    make: enveloped((response) =>
      isSuccess(response)
        ? fields(response, ({ content, results, ...rest }) => ({ ...rest, data: content ?? results ?? null }))
        : response,
    ),
  },
  {
    what: 'error not in the envelope',
    hints: ['envelope.error-in-content'],
    make: enveloped((response) =>
      isSuccess(response) ? response : fields(response, (body) => body.content ?? body),
    ),
  },
  ...errorsOutside,
  {
    what: 'error becomes 200',
    hints: ['envelope.status-kept'],
    make: enveloped((response) => (isSuccess(response) ? response : withStatus(response, 200))),
  },
  {
    what: 'success becomes 202',
    hints: ['envelope.status-kept'],
    make: enveloped((response) => (isSuccess(response) ? withStatus(response, 202) : response)),
  },
  ...(cell.row.hasContent
    ? []
    : [
        {
          what: 'empty stays empty',
          hints: ['envelope.empty-success' as const],
          make: enveloped((response: Response) =>
            isSuccess(response) ? { ...withStatus(response, 204), body: '' } : response,
          ),
        },
      ]),
  ...(cell.operation.paged
    ? [
        {
          what: 'list in content',
          hints: ['envelope.list-in-results' as const],
          make: enveloped((response: Response) =>
            isSuccess(response)
              ? fields(response, ({ status, ...rest }) => ({ status: status ?? 0, content: rest }))
              : response,
          ),
        },
        {
          what: 'links lost in the envelope',
          hints: ['envelope.list-in-results' as const, 'errors.body-complete' as const],
          make: enveloped((response: Response) =>
            isSuccess(response)
              ? fields(response, (body) => ({ status: body.status ?? 0, results: listAt(body, 'results') }))
              : response,
          ),
        },
      ]
    : []),
]

const layout = (indent: number, end: string) =>
  onResponse(
    (_, request) => asks(request, 'pretty'),
    (response) => mapText(response, (body) => JSON.stringify(body, null, indent) + end),
  )

const mapText = (response: Response, write: (body: Json) => string): Response => {
  try {
    return { ...response, body: write(JSON.parse(response.body)) }
  } catch {
    return response
  }
}

const pretty = (cell: Cell): MutantInput[] => {
  const hints = ['pretty.indents'] as const
  const always_: MutantInput = {
    what: 'pretty always',
    hints: ['pretty.default-false'],
    make: onResponse(isSuccess, (response) =>
      mapText(response, (body) => `${JSON.stringify(body, null, 2)}\n`),
    ),
  }
  return [
    { what: 'pretty ignored', hints, make: ignoring('pretty') },
    { what: 'pretty with four spaces', hints, make: layout(4, '\n') },
    { what: 'pretty without newline', hints, make: layout(2, '') },
    {
      what: 'pretty ignored without credentials',
      hints,
      make: onResponse(
        ({ status }, request) => status === 401 && asks(request, 'pretty'),
        (response) => mapText(response, JSON.stringify),
      ),
    },
    ...(cell.row.hasContent ? [always_] : []),
    ...(cell.row.hasContent && cell.operation.envelope
      ? [
          {
            what: 'pretty ignored in an envelope',
            hints,
            make: enveloped((response) => mapText(response, JSON.stringify)),
          },
        ]
      : []),
  ]
}

const token: readonly MutantInput[] = [
  { what: 'envelope ignored', hints: ['issueToken.envelope'], make: ignoring('envelope') },
  { what: 'pretty ignored', hints: ['issueToken.envelope'], make: ignoring('pretty') },
]

/** Makes the server ignore query flags or apply them incorrectly. */
export const flags = perCell('flags', (cell) => {
  if (cell.operation.security !== 'api') return token
  return [
    ...(cell.operation.envelope ? apiEnvelope(cell) : []),
    ...(cell.operation.pretty ? pretty(cell) : []),
  ]
})

/** Changes `results` in an enveloped list to something other than an array. */
export const resultsWrapped = perCell('results of an envelope', (cell) =>
  cell.operation.paged
    ? [
        {
          hints: ['envelope.list-in-results' as const],
          make: enveloped((response) =>
            isSuccess(response) ? withJson(response, { status: 200, results: { items: [] } }) : response,
          ),
        },
      ]
    : [],
)
