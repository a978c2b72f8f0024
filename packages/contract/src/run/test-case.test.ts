import { expect, test } from 'vitest'
import { result } from '../../test/reports.ts'
import { verdicts } from '../model/verdict.ts'
import { throwRed, Unfulfilled } from './test-case.ts'

test('a test fails for a violation, an untestable check and an error of the kit', () => {
  const isRed = (verdict: (typeof verdicts)[number]): boolean => {
    try {
      throwRed([result('PASS', 'errors.validation'), result(verdict, 'auth.bearer-accepted')])
      return false
    } catch (error) {
      expect(error).toBeInstanceOf(Unfulfilled)
      expect(String(error)).toContain(`${verdict} auth.bearer-accepted`)
      return true
    }
  }
  expect(verdicts.filter(isRed)).toEqual(['UNTESTABLE', 'FAIL', 'KIT ERROR'])
})
