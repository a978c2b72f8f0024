import { expect, test } from 'vitest'
import { model, textOf } from '../testing/inputs.ts'

test.each(model.versions)('lists where each operation of $id was last changed', ({ id, operations }) => {
  const text = textOf(`${id}.md`)
  const section = text.slice(text.indexOf('## Changed and inherited operations'), text.indexOf('## Schemas'))
  const versioned = operations.filter(({ id: name }) => name !== 'issueToken')
  for (const { id: name } of versioned) expect(section.split(`[\`${name}\`]`)).toHaveLength(2)
  expect(section).toContain(`${id} (this version)`)
})
