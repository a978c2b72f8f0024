import { expect, test } from 'vitest'
import { constraintsOf } from './constraints.ts'

const mark = (decision: string): string => `<${decision}>`

test('shows the mark of each bound, or a common mark once', () => {
  const schema = { minItems: 1, maxItems: 1000 }
  const decided = (minItems: string, maxItems: string) =>
    constraintsOf({ ...schema, 'x-decided': { minItems, maxItems } }, mark)
  expect(decided('a', 'b')).toEqual(['at least 1 item <a>', 'at most 1,000 items <b>'])
  expect(decided('a', 'a')).toEqual(['1 to 1,000 items <a>'])
})

test('shows no mark for trivial bounds', () => {
  const schema = { minimum: 0, maximum: 2147483647, 'x-decided': { minimum: 'a', maximum: 'b' } }
  expect(constraintsOf(schema, mark)).toEqual(['at least 0 <a>'])
})

test('omits bounds beyond all integers', () => {
  expect(constraintsOf({ minimum: 0, maximum: 1e300 })).toEqual(['at least 0'])
})
