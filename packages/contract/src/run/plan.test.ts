import type { OperationId } from '@svc-admin/types'
import { expect, test } from 'vitest'
import { always, forEach, onV2, ownResourceRule, type Rule } from '../check/rule.ts'
import { loadApi } from '../model/api.ts'
import type { Selection } from '../model/selection.ts'
import { loadRules } from './modules.ts'
import { type Case, makePlan } from './plan.ts'

const api = loadApi()
const check = async () => {}

test('applies a rule to every operation and version', () => {
  const { cases } = makePlan(api, [{ 'auth.digest-accepted': always(check) }])
  expect(cases.map(({ cell }) => cell.key)).toEqual(api.cells.map(({ key }) => key).sort())
})

test('runs checks that count resources while no check has its own calls that change them', async () => {
  const { cases } = makePlan(api, await loadRules())
  const methodsIn = (wanted: string) =>
    new Set(cases.filter(({ phase }) => phase === wanted).map(({ cell }) => cell.operation.method))
  expect(methodsIn('read')).toEqual(new Set(['GET']))
  expect(methodsIn('refusal')).toEqual(new Set(['POST', 'PUT', 'PATCH', 'DELETE']))
  const paging = cases.filter(
    ({ requirement, variant }) =>
      requirement.startsWith('paging.') &&
      !['equal timestamps', 'in every state', 'more items', 'after a removal', 'after an update'].includes(
        variant,
      ),
  )
  expect(new Set(paging.map(({ phase }) => phase))).toEqual(new Set(['read']))
})

test('gives the reason if a rule does not apply', () => {
  const { cases, outside } = makePlan(api, [{ 'auth.digest-accepted': always(check, { at: onV2 }) }])
  expect(cases.every(({ cell }) => cell.version.generation === 'v2')).toBe(true)
  expect(new Set(outside.map(({ reason }) => reason))).toEqual(
    new Set(['v2 only', 'not an operation of the API']),
  )
})

test('respects the versions of the requirement itself', () => {
  const keysOf = (...tables: Parameters<typeof makePlan>[1]) =>
    makePlan(api, tables).cases.map(({ cell }) => cell.key)
  expect(keysOf({ 'acknowledgeAlert.omitted-unacknowledges': always(check) })).toEqual([
    'acknowledgeAlert@v1.0',
  ])
  expect(keysOf({ 'acknowledgeAlert.omitted-unacknowledges-in-first-date': always(check) })).toEqual([
    'acknowledgeAlert@2023-01-01',
  ])
})

test('has one case for each variant', () => {
  const rule = forEach(
    () => ['a', 'b'],
    (value) => value,
    check,
  )
  const { cases } = makePlan(api, [{ 'getAlert.answers-with-alert': rule }])
  expect(cases.map(({ id }) => id)).toContain('getAlert.answers-with-alert@getAlert@v1.0#b')
  expect(cases).toHaveLength(4)
})

test('rejects two cases with the same id', () => {
  const twice = { 'getAlert.answers-with-alert': [always(check), always(check)] }
  expect(() => makePlan(api, [twice])).toThrow('two cases have the ID')
})

test('selects by operation, version, area and requirement prefix', () => {
  const tables = [{ 'auth.digest-accepted': always(check), 'errors.validation': always(check) }]
  const ids = (selection: Parameters<typeof makePlan>[2]) =>
    makePlan(api, tables, selection).cases.map(({ id }) => id)
  expect(ids({ operations: ['getAlert'], versions: ['v1.0'], requirements: ['auth.'] })).toEqual([
    'auth.digest-accepted@getAlert@v1.0',
  ])
  expect(ids({ areas: ['Token Issuance'], requirements: ['errors.'] })).toHaveLength(1)
})

test('a version selects its document, with each operation as the date resolves', () => {
  const cellsIn = (...versions: readonly string[]) =>
    makePlan(api, [{ 'auth.digest-accepted': always(check) }], { versions }).cases.map(({ cell }) => cell.key)
  for (const { id, document } of api.versions) {
    const keys = cellsIn(id)
    expect(keys.map((key) => key.split('@')[0]).sort()).toEqual([...document.operations.keys()].sort())
    for (const key of keys.filter((one) => !one.startsWith('issueToken@')))
      expect(key).toBe(api.cell(key.split('@')[0] as OperationId, id)?.key)
  }
  expect(cellsIn('2023-01-01')).toContain('acknowledgeAlert@2023-01-01')
  expect(cellsIn('2025-03-12')).not.toContain('acknowledgeAlert@2023-01-01')
  expect(cellsIn('2025-03-12')).toContain('acknowledgeAlert@2024-05-30')
  const dates = api.versions.filter(({ generation }) => generation === 'v2').map(({ id }) => id)
  expect(cellsIn(...dates)).toEqual(
    api.cells
      .flatMap(({ key, version }) =>
        version.generation === 'v2' || key.startsWith('issueToken@') ? [key] : [],
      )
      .sort(),
  )
})

test('shards are disjoint and complete', () => {
  const tables = [{ 'auth.digest-accepted': always(check), 'errors.validation': always(check) }]
  const whole = makePlan(api, tables).cases.map(({ id }) => id)
  const parts = [1, 2, 3].flatMap((index) =>
    makePlan(api, tables, { shard: { index, of: 3 } }).cases.map(({ id }) => id),
  )
  expect(parts.sort()).toEqual(whole)
})

test('a read-only plan has no case that writes', () => {
  const { cases } = makePlan(api, [{ 'auth.digest-accepted': always(check) }], { readOnly: true })
  expect(new Set(cases.map(({ cell }) => cell.operation.method))).toEqual(new Set(['GET']))
  // This includes rules that expect a rejection, because the target might accept the call.
  for (const phase of ['read', 'alone'] as const) {
    const plan = makePlan(api, [{ 'errors.validation': always(check, { phase }) }], { readOnly: true })
    const methods = plan.cases
      .filter(({ cell }) => cell.operation.security === 'api')
      .map(({ cell }) => cell.operation.method)
    expect([phase, new Set(methods)]).toEqual([phase, new Set(['GET'])])
  }
})

test('a read-only plan excludes rules that create resources, even for a GET', () => {
  const selection = { readOnly: true, operations: ['getAlert'] }
  const casesOf = (rule: Rule) => makePlan(api, [{ 'getAlert.answers-with-alert': rule }], selection).cases
  expect(casesOf(always(check)).length).toBeGreaterThan(0)
  expect(casesOf(ownResourceRule(check))).toEqual([])
})

test('a brief plan has one variant of every rule, in the newest version of every operation', () => {
  const rule = forEach(
    () => ['one', 'other'],
    (name) => name,
    check,
  )
  const tables = [{ 'auth.digest-accepted': rule }]
  const { cases } = makePlan(api, tables, { brief: true })
  const all = makePlan(api, tables).cases
  const places = cases.map(({ cell }) => cell.operation.id)
  expect(new Set(places).size).toBe(places.length)
  expect(new Set(places)).toEqual(new Set(all.map(({ cell }) => cell.operation.id)))
  expect(new Set(cases.map(({ variant }) => variant))).toEqual(new Set(['one']))
  for (const { cell } of cases)
    expect(api.cells.filter(({ operation }) => operation.id === cell.operation.id).at(-1)).toBe(cell)
})

test('a smoke test covers every requirement once, and all operations', async () => {
  const tables = await loadRules()
  const requirementsOf = (some: readonly Case[]) => some.map(({ requirement }) => requirement)
  const operationsOf = (some: readonly Case[]) => new Set(some.map(({ cell }) => cell.operation.id))
  const brief = makePlan(api, tables, { brief: true }).cases
  const { cases } = makePlan(api, tables, { smoke: true })
  expect(requirementsOf(cases)).toHaveLength(new Set(requirementsOf(cases)).size)
  expect(new Set(requirementsOf(cases))).toEqual(new Set(requirementsOf(brief)))
  expect([...operationsOf(brief)].filter((id) => !operationsOf(cases).has(id))).toEqual([])
  // Most rules apply to most operations, so without shuffling they would all use the same ones.
  const counts = [...operationsOf(cases)].map(
    (id) => cases.filter(({ cell }) => cell.operation.id === id).length,
  )
  expect(Math.max(...counts)).toBeLessThan(cases.length / 16)
  const shards = [1, 2, 3].map(
    (index) => makePlan(api, tables, { smoke: true, shard: { index, of: 3 } }).cases,
  )
  expect(
    shards
      .flat()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(cases.map(({ id }) => id))
})

test('has no generated checks if inputs is 0', async () => {
  const tables = await loadRules()
  const labels = (selection: Selection) =>
    new Set(makePlan(api, tables, { brief: true, ...selection }).cases.map(({ variant }) => variant))
  expect(labels({})).toContain('generated')
  expect(labels({ inputs: 1 })).toContain('generated')
  expect(labels({ inputs: 0 })).not.toContain('generated')
})

test('a short plan calculates only the first variant', () => {
  const rule = forEach(
    function* () {
      yield 'first'
      throw new Error('the others take time')
    },
    String,
    check,
  )
  const selection = { brief: true, operations: ['getAlert'], versions: ['v1.0'] }
  const { cases } = makePlan(api, [{ 'getAlert.answers-with-alert': rule }], selection)
  expect(cases.map(({ variant }) => variant)).toEqual(['first'])
})
