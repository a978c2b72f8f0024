import { expect, test } from 'vitest'
import { model, textOf } from '../testing/inputs.ts'

test('shows no end date for any version, but for some operations', () => {
  for (const { id, operations } of model.versions) {
    const days = operations.flatMap(({ deprecation }) => deprecation?.sunset ?? [])
    const ends = /^- End date: .*/m.exec(textOf(`${id}.md`))?.[0]
    expect([id, ends]).toEqual([
      id,
      `- End date: [not scheduled](guides/versioning.md#when-a-version-ends); ${days.length} operations end on ${days[0]}`,
    ])
  }
})

test('has no version with a sunset, which the guide would have to mention', () => {
  for (const fact of model.inputs.facts.versions) expect(Object.keys(fact)).not.toContain('sunset')
})
