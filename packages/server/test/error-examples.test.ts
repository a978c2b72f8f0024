import { type Json, loadFacts } from '@svc-admin/spec'
import type { OperationId } from '@svc-admin/types'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { documentOf } from '../src/specification/documents.ts'
import { type CheckedServer, startChecked, startUntilStopped } from './checked-server.ts'
import { askOf, bodiesOf, type Cell, cells, operationOf, pathValuesOf } from './documented.ts'
import { type Provocation, provocations, sharedProvocations } from './provocations.ts'

const { errorCodes } = loadFacts()

/** The time when the examples are valid. */
const told = () => Date.UTC(2025, 10, 18, 9, 45)

/** Returns the error responses in an operation's document. */
function failuresOf(cell: Cell): Json[] {
  const { responses } = documentOf(cell.version.id).components
  return Object.values(operationOf(cell).responses).flatMap(({ $ref, content }) => {
    const shown = content ?? responses[$ref?.split('/').at(-1) ?? '']?.content
    return Object.values(shown?.['application/json']?.examples ?? {}).flatMap(({ value }) => value ?? [])
  })
}

/** Returns the error responses that only this operation has. The shared responses from the catalog are excluded. */
function ownFailuresOf(cell: Cell): Json[] {
  return failuresOf(cell).filter((body) => {
    const { errorCode = '', detail, parameters }: Partial<ErrorBody> = Object(body)
    const fact = errorCodes[errorCode]
    const usual = [fact?.detail, ...Object.values(fact?.detailIn ?? {})]
    // Each operation has its own text for a version mismatch, which another test checks.
    if (errorCode === 'VERSION_MISMATCH') return false
    return fact && (!usual.includes(detail) || String(parameters) !== String(fact.parameters))
  })
}

interface ErrorBody {
  readonly errorCode: string
  readonly detail: string
  readonly parameters: readonly string[]
}

function provoke(
  server: CheckedServer,
  cell: Cell,
  { having, without, json, body: raw, ...ask }: Provocation,
) {
  const [shown = {}] = bodiesOf(cell)
  const { [without ?? '']: _, ...kept }: Record<string, unknown> = Object(shown)
  const body = json ?? (having || without ? { ...kept, ...having } : undefined)
  const [first = {}] = pathValuesOf(cell)
  return askOf(server, cell, {
    ...ask,
    values: { ...first, ...ask.values },
    ...(body === undefined ? {} : { json: body }),
    ...(raw === undefined ? {} : { json: undefined, body: raw }),
  })
}

let demo: CheckedServer
beforeAll(async () => {
  demo = await startUntilStopped({ realTime: told })
})
afterAll(() => demo.stop())

const failing = cells.filter((cell) => ownFailuresOf(cell).length > 0)

it.each(failing)('documents $name with the error that the server returns', async (cell) => {
  const provocation = provocations[cell.route.row.id]
  if (!provocation) throw new Error(`Nobody says how ${cell.route.row.id} fails as its document shows.`)
  const { before, ...usual } = provocation
  const server = before ? await startChecked({ realTime: told }) : demo
  const refused = await provoke(server, cell, { ...usual, ...(await before?.(server)) })
  expect(refused.body).toEqual(ownFailuresOf(cell)[0])
})

it('has a provocation for every error that an operation documents', () => {
  const known = new Set<string>(failing.map(({ route }) => route.row.id))
  expect(Object.keys(provocations).filter((id) => !known.has(id))).toEqual([])
})

const cellsOf = (id: OperationId) => cells.filter(({ route }) => route.row.id === id)

it.each(
  Object.entries(sharedProvocations).flatMap(([code, { of, ...provocation }]) =>
    cellsOf(of).map((cell) => ({ code, cell, provocation, name: cell.name })),
  ),
)(
  'documents $code with the error that the server returns, for $name',
  async ({ code, cell, provocation }) => {
    const { before, options = {}, ...usual } = provocation
    const shown = failuresOf(cell).find((body) => Object(body).errorCode === code)
    if (shown === undefined) return
    const server = before || provocation.options ? await startChecked({ realTime: told, ...options }) : demo
    const refused = await provoke(server, cell, { ...usual, ...(await before?.(server)) })
    // The caller has the address of the machine that runs the test.
    expect(JSON.parse(refused.text.replace('127.0.0.1', '203.0.113.7'))).toEqual(shown)
  },
)

const mismatching = cells.filter((cell) =>
  Object.values(operationOf(cell).responses).some(
    ({ content }) => content?.['application/json']?.examples?.VERSION_MISMATCH,
  ),
)

it.each(mismatching)('documents a version mismatch of $name as the server returns it', async (cell) => {
  const shown = failuresOf(cell).find((body) => Object(body).errorCode === 'VERSION_MISMATCH')
  const [, other] = /Content-Type to version (\S+)\.$/.exec(Object(shown).detail) ?? []
  // On this date, no operation had a version yet.
  const contentType = `application/vnd.svc.${other ?? '2022-01-01'}+json`
  const refused = await provoke(demo, cell, { contentType })
  expect(refused.body).toEqual(shown)
})

it('has a provocation for every shared error, except those that no request can cause', () => {
  const applying = Object.entries(errorCodes).filter(([, { appliesTo }]) => !ofSome.has(appliesTo))
  const unknown = applying.map(([code]) => code).filter((code) => !(code in sharedProvocations))
  expect(unknown).toEqual(['RATE_LIMITED', 'UNEXPECTED_ERROR', 'UNAVAILABLE'])
})

/** An operation that declares an error code can have its own text for it. All other examples are shared. */
const ofSome = new Set(['declared', 'route', 'none'])
