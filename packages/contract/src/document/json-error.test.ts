import { expect, test } from 'vitest'
import { jsonError } from './json-error.ts'

test.each([
  ['', 1, 1, 'a value'],
  ['{', 1, 2, 'a name in quotation marks'],
  ['{"a" 1}', 1, 6, 'a colon'],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'a comma or }'],
  ['{\n  "a": 1,\n}', 3, 1, 'a name in quotation marks'],
  ['[1, 2', 1, 6, 'a comma or ]'],
  ['[1,]', 1, 4, 'a value'],
  ["{'a': 1}", 1, 2, 'a name in quotation marks'],
  ['{"a": "x\n"}', 1, 9, 'the rest of a string and a quotation mark'],
  ['{"a": 1} // why', 1, 10, 'the end'],
  ['{"a": 01}', 1, 8, 'a comma or }'],
])('%j is not JSON from line %i, column %i on', (text, line, column, expected) => {
  expect(jsonError(text)).toEqual({ line, column, expected })
})

test('finds an error exactly where JSON.parse fails', () => {
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  const whole =
    ' {"a\\u00e9\\n": [true, false, null, -1.5e+3, 0, {}, []], "b": {"c": "x"}, "d": [{"e": 20}]}\n'
  const letters = [...'{}[]",:\\ \n\t019.eE+-truefalsn/\u0001\u0080\u2028é', '']
  // Test texts with one replaced, inserted or removed character, at every position.
  const places = Array.from(whole, (_, at) => at)
  const spoiled = places.flatMap((at) =>
    letters.flatMap((put) => [0, 1].map((cut) => whole.slice(0, at) + put + whole.slice(at + cut))),
  )
  expect(jsonError(whole)).toBeUndefined()
  expect(spoiled.filter((text) => (jsonError(text) === undefined) !== isJson(text))).toEqual([])
  expect(spoiled.filter(isJson).length).toBeGreaterThan(300)
})
