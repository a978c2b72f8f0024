import { expect, test } from 'vitest'
import { requirementOfHeader } from '../judges/headers.ts'
import { judges } from '../judges/index.ts'
import { loadApi } from '../model/api.ts'
import { requirements } from '../model/requirement.ts'
import { loadRules } from './modules.ts'
import { makePlan } from './plan.ts'

const tables = await loadRules()
const api = loadApi()
const tested = new Set<string>([
  ...tables.flatMap((table) => Object.keys(table)),
  ...judges.map((judge) => judge.requirement),
])

test('every requirement that is not excluded has a rule, a case or a judge', () => {
  const without = [...requirements().values()].filter(({ id, excluded }) => !excluded && !tested.has(id))
  expect(without.map(({ id }) => id)).toEqual([])
})

test('every rule, case and judge has a requirement that is not excluded', () => {
  const unexpected = [...tested].filter(
    (id) => requirements().get(id)?.excluded !== undefined || !requirements().has(id),
  )
  expect(unexpected).toEqual([])
})

test('no requirement is in two tables', () => {
  const ids = tables.flatMap((table) => Object.keys(table))
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

test('every requirement is tested in every cell or has a reason why not', () => {
  const { cases, outside } = makePlan(api, tables)
  const places = new Map<string, Set<string>>()
  for (const { requirement, cell } of [...cases, ...outside])
    places.set(requirement, (places.get(requirement) ?? new Set()).add(cell.key))
  const incomplete = [...places].filter(([, cells]) => cells.size !== api.cells.length)
  expect(incomplete.map(([requirement]) => requirement)).toEqual([])
  expect([...places.keys()].sort()).toEqual(tables.flatMap((table) => Object.keys(table)).sort())
})

test('every header that a document requires of a success has a judge', () => {
  const known = new Set([...Object.keys(requirementOfHeader), 'Vary'])
  const required = api.cells.flatMap(({ definition, row }) =>
    (definition.responses.get(row.success)?.headers ?? [])
      .filter((header) => header.required)
      .map(({ name }) => name),
  )
  expect([...new Set(required)].filter((name) => !known.has(name))).toEqual([])
})
