import { isObject, type Json, listAt } from '../../src/document/json.ts'
import type { Cell } from '../../src/engine/api.ts'
import { answersArray } from '../../src/judges/envelope.ts'
import {
  isSuccess,
  type MutantInput,
  mapJson,
  onAnswer,
  perCell,
  queryOf,
  withJson,
  withQuery,
  withStatus,
} from '../mutant.ts'
import type { Answer, Passing } from '../proxy.ts'

const asks = (request: Passing, flag: string): boolean => queryOf(request).get(flag) === 'true'

const ignoring =
  (flag: string): MutantInput['make'] =>
  () =>
  (request, forward) =>
    forward(asks(request, flag) ? withQuery(request, (query) => query.delete(flag)) : request)

/** Sets the flag whatever was asked, where nothing was or `false`. */
const always =
  (flag: string): MutantInput['make'] =>
  () =>
  (request, forward) =>
    forward(
      request.path.includes(`${flag}=`) && !request.path.includes(`${flag}=false`)
        ? request
        : withQuery(request, (query) => query.set(flag, 'true')),
    )

const enveloped = (change: (answer: Answer, request: Passing) => Answer) =>
  onAnswer((_, request) => asks(request, 'envelope'), change)

const members = (answer: Answer, change: (body: Readonly<Record<string, Json>>) => Json): Answer =>
  mapJson(answer, (body) => (isObject(body) ? change(body) : body))

const inner = (cell: Cell) => {
  if (!cell.row.hasContent) return 'envelope.empty-success' as const
  if (answersArray(cell)) return 'envelope.array-in-results' as const
  return cell.operation.paged
    ? ('envelope.list-in-results' as const)
    : ('envelope.resource-in-content' as const)
}

/** Errors of what does not know of envelopes, such as what reads the credentials. */
const errorsOutside = ([401, 404] as const).map(
  (status): MutantInput => ({
    what: `${status} not in the envelope`,
    hints: ['envelope.error-in-content'],
    make: enveloped((answer) =>
      answer.status === status ? members(answer, (body) => body.content ?? body) : answer,
    ),
  }),
)

const apiEnvelope = (cell: Cell): MutantInput[] => [
  { what: 'envelope ignored', hints: [inner(cell), 'envelope.status-member'], make: ignoring('envelope') },
  { what: 'envelope always', hints: ['envelope.default-false'], make: always('envelope') },
  {
    what: 'status of the envelope wrong',
    hints: ['envelope.status-member'],
    make: enveloped((answer) => members(answer, (body) => ({ ...body, status: 299 }))),
  },
  {
    what: 'no status in the envelope',
    hints: ['envelope.status-member'],
    make: enveloped((answer) => members(answer, ({ status: _, ...rest }) => rest)),
  },
  {
    what: 'content under another name',
    hints: [inner(cell)],
    make: enveloped((answer) =>
      isSuccess(answer)
        ? members(answer, ({ content, results, ...rest }) => ({ ...rest, data: content ?? results ?? null }))
        : answer,
    ),
  },
  {
    what: 'error not in the envelope',
    hints: ['envelope.error-in-content'],
    make: enveloped((answer) =>
      isSuccess(answer) ? answer : members(answer, (body) => body.content ?? body),
    ),
  },
  ...errorsOutside,
  {
    what: 'error becomes 200',
    hints: ['envelope.status-kept'],
    make: enveloped((answer) => (isSuccess(answer) ? answer : withStatus(answer, 200))),
  },
  {
    what: 'success becomes 202',
    hints: ['envelope.status-kept'],
    make: enveloped((answer) => (isSuccess(answer) ? withStatus(answer, 202) : answer)),
  },
  ...(cell.row.hasContent
    ? []
    : [
        {
          what: 'empty stays empty',
          hints: ['envelope.empty-success' as const],
          make: enveloped((answer: Answer) =>
            isSuccess(answer) ? { ...withStatus(answer, 204), body: '' } : answer,
          ),
        },
      ]),
  ...(cell.operation.paged
    ? [
        {
          what: 'list in content',
          hints: ['envelope.list-in-results' as const],
          make: enveloped((answer: Answer) =>
            isSuccess(answer)
              ? members(answer, ({ status, ...rest }) => ({ status: status ?? 0, content: rest }))
              : answer,
          ),
        },
        {
          what: 'links lost in the envelope',
          hints: ['envelope.list-in-results' as const, 'errors.body-complete' as const],
          make: enveloped((answer: Answer) =>
            isSuccess(answer)
              ? members(answer, (body) => ({ status: body.status ?? 0, results: listAt(body, 'results') }))
              : answer,
          ),
        },
      ]
    : []),
]

const layout = (indent: number, end: string) =>
  onAnswer(
    (_, request) => asks(request, 'pretty'),
    (answer) => mapText(answer, (body) => JSON.stringify(body, null, indent) + end),
  )

const mapText = (answer: Answer, write: (body: Json) => string): Answer => {
  try {
    return { ...answer, body: write(JSON.parse(answer.body)) }
  } catch {
    return answer
  }
}

const pretty = (cell: Cell): MutantInput[] => {
  const hints = ['pretty.indents'] as const
  const always_: MutantInput = {
    what: 'pretty always',
    hints: ['pretty.default-false'],
    make: onAnswer(isSuccess, (answer) => mapText(answer, (body) => `${JSON.stringify(body, null, 2)}\n`)),
  }
  return [
    { what: 'pretty ignored', hints, make: ignoring('pretty') },
    { what: 'pretty with four spaces', hints, make: layout(4, '\n') },
    { what: 'pretty without newline', hints, make: layout(2, '') },
    {
      what: 'pretty ignored without credentials',
      hints,
      make: onAnswer(
        ({ status }, request) => status === 401 && asks(request, 'pretty'),
        (answer) => mapText(answer, JSON.stringify),
      ),
    },
    ...(cell.row.hasContent ? [always_] : []),
    ...(cell.row.hasContent && cell.operation.envelope
      ? [
          {
            what: 'pretty ignored in an envelope',
            hints,
            make: enveloped((answer) => mapText(answer, JSON.stringify)),
          },
        ]
      : []),
  ]
}

const token: readonly MutantInput[] = [
  { what: 'envelope ignored', hints: ['issueToken.envelope'], make: ignoring('envelope') },
  { what: 'pretty ignored', hints: ['issueToken.envelope'], make: ignoring('pretty') },
]

/** The flags of the query do nothing, or something else. */
export const flags = perCell('flags', (cell) => {
  if (cell.operation.security !== 'api') return token
  return [
    ...(cell.operation.envelope ? apiEnvelope(cell) : []),
    ...(cell.operation.pretty ? pretty(cell) : []),
  ]
})

/** `results` of a list in its envelope is no list. */
export const resultsWrapped = perCell('results of an envelope', (cell) =>
  cell.operation.paged
    ? [
        {
          hints: ['envelope.list-in-results' as const],
          make: enveloped((answer) =>
            isSuccess(answer) ? withJson(answer, { status: 200, results: { items: [] } }) : answer,
          ),
        },
      ]
    : [],
)
