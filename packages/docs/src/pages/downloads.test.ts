import { expect, test } from 'vitest'
import { model, textOf } from '../testing/inputs.ts'

test('explains how to send the version with a generated client', () => {
  const { mediaType } = model.newest.fact
  expect(textOf('downloads.md')).toContain(`headers={"Accept": "${mediaType}"}`)
  expect(textOf('guides/versioning.md')).toContain(`\`Accept: ${mediaType}\` with every request`)
})
