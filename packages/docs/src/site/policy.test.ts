import { expect, test } from 'vitest'
import { policies } from './policy.ts'

test.each(Object.entries(policies))('nothing shows a page below %s within another one', (_, policy) => {
  expect(policy.split('; ')).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/script-src|'unsafe-eval'/)
})
