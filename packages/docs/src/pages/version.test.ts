import { expect, test } from 'vitest'
import { model, textOf } from '../testing/inputs.ts'

test('the first page of each version says when it ends: of none is a day known, but of its operations', () => {
  for (const { id, operations } of model.versions) {
    const days = operations.flatMap(({ deprecation }) => deprecation?.sunset ?? [])
    const ends = /^- Ends: .*/m.exec(textOf(`${id}/index.md`))?.[0]
    expect([id, ends]).toEqual([
      id,
      `- Ends: [no day is known](../guides/versioning/index.md#when-a-version-ends), but for ${days.length} operations: ${days[0]}`,
    ])
  }
})

test('no document has a version that ends, which the guide would have to tell of', () => {
  for (const fact of model.inputs.facts.versions) expect(Object.keys(fact)).not.toContain('sunset')
})
