import { expect, test } from 'vitest'
import { model, textOf } from '../testing/inputs.ts'

test('whoever generates a client is told to send the version, which generators leave out', () => {
  const { mediaType } = model.newest.fact
  expect(textOf('downloads/index.md')).toContain(`headers={"Accept": "${mediaType}"}`)
  expect(textOf('guides/versioning/index.md')).toContain(`\`Accept: ${mediaType}\` with every request`)
})
