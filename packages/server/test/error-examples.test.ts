import { type Json, loadFacts } from '@svc-admin/spec'
import type { OperationId } from '@svc-admin/types'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { documentOf } from '../src/specification/documents.ts'
import { type CheckedServer, startChecked, startUntilStopped } from './checked-server.ts'
import { askOf, bodiesOf, type Cell, cells, operationOf, pathValuesOf } from './documented.ts'
import { type Provocation, provocations, sharedProvocations } from './provocations.ts'

const { errorCodes } = loadFacts()

/** The time that the examples assume. */
const told = () => Date.UTC(2025, 10, 18, 9, 45)

/** Returns the error responses in the OpenAPI document of an operation. */
function failuresOf(cell: Cell): Json[] {
  const { responses } = documentOf(cell.version.id).components
  return Object.values(operationOf(cell).responses).flatMap(({ $ref, content }) => {
    const shown = content ?? responses[$ref?.split('/').at(-1) ?? '']?.content
    return Object.values(shown?.['application/json']?.examples ?? {}).flatMap(({ value }) => value ?? [])
  })
}

/** Returns the error responses that are specific to this operation, without the shared ones from the catalog. */
function ownFailuresOf(cell: Cell): Json[] {
  return failuresOf(cell).filter((body) => {
    const { errorCode = '', detail, parameters }: Partial<ErrorBody> = Object(body)
    const fact = errorCodes[errorCode]
    const usual = [fact?.detail, ...Object.values(fact?.detailIn ?? {})]
    // The text for a version mismatch is different for each operation. Another test checks it.
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
    // In this test, the caller's address is the address of the machine that runs the test.
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
  const [, other] = /Content-Type resolves to version (\S+)\.$/.exec(Object(shown).detail) ?? []
  // On this date, no operation had any version.
  const contentType = `application/vnd.svc.${other ?? '2022-01-01'}+json`
  const refused = await provoke(demo, cell, { contentType })
  expect(refused.body).toEqual(shown)
})

it('has a provocation for every shared error, except those that no request can cause', () => {
  const applying = Object.entries(errorCodes).filter(([, { appliesTo }]) => !ofSome.has(appliesTo))
  const unknown = applying.map(([code]) => code).filter((code) => !(code in sharedProvocations))
  expect(unknown).toEqual(['RATE_LIMITED', 'UNEXPECTED_ERROR', 'UNAVAILABLE'])
})

/**
 * If an error code's `appliesTo` has one of these values, operations can have their own text for the error. All other
 * error examples are shared.
 */
const ofSome = new Set(['declared', 'route', 'none'])
