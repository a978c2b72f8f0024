import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readFacts } from '../build/sources.ts'
import { type Edit, edited } from '../lint/edit.ts'
import { expand, goodDocument } from '../lint/good-document.ts'
import { type ChangeClass, changeClasses } from './change.ts'
import { classify } from './classify.ts'

interface Seeded extends Edit {
  change: string
  class: ChangeClass | 'none'
  rule?: string
  from?: Edit
  version?: string
}

const seeded: Seeded[] = parse(readFileSync(new URL('fixtures/changes.yaml', import.meta.url), 'utf8'))
const good = await goodDocument()
const includes = Object.fromEntries(
  Object.entries(readFacts().roles).map(([id, role]) => [id, role.includes]),
)
const options = { today: '2026-11-21', includes }

function changesOf({ from = {}, version, ...edit }: Seeded) {
  const before = edited(good, from, expand)
  const after = edited(before, edit, expand)
  const released = version ? edited(after, { set: { '/info/version': version } }) : after
  return classify(before, released, options)
}

test('there are at least sixty different changes, of every class', () => {
  expect(new Set(seeded.map(({ change }) => change)).size).toBeGreaterThanOrEqual(60)
  expect(new Set(seeded.map((each) => each.class))).toEqual(new Set([...changeClasses, 'none']))
})

test.each(seeded)('$change: $class', (row) => {
  const changes = changesOf(row)
  expect(changes[0]?.class ?? 'none').toBe(row.class)
  if (row.rule) expect(changes.map(({ rule }) => rule)).toContain(row.rule)
})

test('a change of a shared schema is one change that names every operation', () => {
  const [change] = changesOf({
    change: '',
    class: 'breaking',
    drop: ['/components/schemas/Alert/properties/resolved'],
  })
  expect(change?.location).toBe('#/components/schemas/Alert/properties/resolved')
  expect(change?.operations).toEqual(expect.arrayContaining(['listAlerts', 'getAlert', 'acknowledgeAlert']))
})

test('garbage on either side is classified without a throw', () => {
  for (const value of [null, 7, 'text', [], {}, { paths: { '/a': { get: null } } }]) {
    expect(() => classify(value, good, options)).not.toThrow()
    expect(() => classify(good, value, options)).not.toThrow()
  }
})
