import { expect, test } from 'vitest'
import { model, textOf } from '../testing/inputs.ts'

test('describes each lint rule with its reason and examples', () => {
  const text = textOf('lint-rules.md')
  for (const { id, why, good } of model.inputs.lintRules) {
    expect(text).toContain(`### \`${id}\``)
    expect(text).toContain(why)
    expect(text).toContain(good.trim())
  }
})
