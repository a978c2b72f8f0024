import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { ruleIds } from '../lint/rules.ts'
import { describeLintRules } from './lint-rules.ts'

test('describes every lint rule with a reason, a good and a bad example', async () => {
  const described = await describeLintRules()
  expect(described.map(({ id }) => id)).toEqual(ruleIds())
  for (const { id, why, good, bad, findings } of described) {
    expect(why, id).toMatch(/^[A-Z].*\.$/)
    expect(parse(good), id).not.toEqual(parse(bad))
    expect(findings.length, id).toBeGreaterThan(0)
    expect(parse(bad), id).not.toHaveProperty('findings')
  }
})
