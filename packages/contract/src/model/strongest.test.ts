import { expect, test } from 'vitest'
import { Violation } from './signals.ts'
import { createStrongest } from './strongest.ts'

const fail = (strength: 'stated' | 'decided', actual: string) => () => {
  throw new Violation({ expected: 'a', actual, strength })
}

test('a decided violation does not hide a stated one', () => {
  const strongest = createStrongest()
  strongest.expect(fail('decided', 'first'))
  strongest.expect(fail('decided', 'second'))
  expect(() => strongest.expect(fail('stated', 'third'))).toThrow('third')
  expect(() => strongest.end()).toThrow('first')
})

test('other errors end the check, and without a violation nothing is thrown', () => {
  const strongest = createStrongest()
  expect(() =>
    strongest.expect(() => {
      throw new TypeError('broken')
    }),
  ).toThrow('broken')
  strongest.expect(() => {})
  strongest.end()
})
