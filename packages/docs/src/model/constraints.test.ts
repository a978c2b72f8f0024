import { expect, test } from 'vitest'
import { constraintsOf } from './constraints.ts'

const mark = (decision: string): string => `<${decision}>`

test('two bounds that two decisions chose have each its own beside it, and one decision stands once', () => {
  const schema = { minItems: 1, maxItems: 1000 }
  const decided = (minItems: string, maxItems: string) =>
    constraintsOf({ ...schema, 'x-decided': { minItems, maxItems } }, mark)
  expect(decided('a', 'b')).toEqual(['at least 1 item <a>', 'at most 1,000 items <b>'])
  expect(decided('a', 'a')).toEqual(['1 to 1,000 items <a>'])
})

test('a bound that is not shown has no mark either', () => {
  const schema = { minimum: 0, maximum: 2147483647, 'x-decided': { minimum: 'a', maximum: 'b' } }
  expect(constraintsOf(schema, mark)).toEqual(['at least 0 <a>'])
})

test('a bound beyond all integers is told by nobody', () => {
  expect(constraintsOf({ minimum: 0, maximum: 1e300 })).toEqual(['at least 0'])
})
