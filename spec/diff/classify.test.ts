import { expect, test } from 'vitest'
import { readFacts } from '../build/sources.ts'
import { changeClasses } from './change.ts'
import { classify } from './classify.ts'
import { type Seeded, seeded, sidesOf } from './seeded-changes.ts'

const includes = Object.fromEntries(
  Object.entries(readFacts().roles).map(([id, role]) => [id, role.includes]),
)
const options = { today: '2026-11-21', includes }
const changesOf = (row: Seeded) => classify(...sidesOf(row), options)

test(`the ${seeded.length} seeded changes are at least sixty distinct ones, of every class`, () => {
  expect(new Set(seeded.map(({ change }) => change)).size).toBeGreaterThanOrEqual(60)
  expect(new Set(seeded.map((each) => each.class))).toEqual(new Set([...changeClasses, 'none']))
})

test.each(seeded)('$change: $class', (row) => {
  const changes = changesOf(row)
  expect(changes[0]?.class ?? 'none').toBe(row.class)
  if (row.rule) expect(changes.map(({ rule }) => rule)).toContain(row.rule)
})

test('reports a change of a shared schema once, with all operations', () => {
  const [change] = changesOf({
    change: '',
    class: 'breaking',
    drop: ['/components/schemas/Alert/properties/resolved'],
  })
  expect(change?.location).toBe('#/components/schemas/Alert/properties/resolved')
  expect(change?.operations).toEqual(expect.arrayContaining(['listAlerts', 'getAlert', 'acknowledgeAlert']))
})

test('reports the same change in two locations twice', () => {
  const fields = ['one', 'other'].map((name) => `/components/schemas/Alert/properties/${name}`)
  const to = (maxLength: number) =>
    Object.fromEntries(fields.map((at) => [at, { type: 'string', maxLength }]))
  const changes = changesOf({ change: '', class: 'breaking', from: { set: to(9) }, set: to(10) })
  expect(changes.map(({ location }) => location)).toEqual(fields.map((at) => `#${at}`))
})

test('never throws for invalid documents', () => {
  const [good] = sidesOf({ change: '', class: 'none' })
  for (const value of [null, 7, 'text', [], {}, { paths: { '/a': { get: null } } }]) {
    expect(() => classify(value, good, options)).not.toThrow()
    expect(() => classify(good, value, options)).not.toThrow()
  }
})
