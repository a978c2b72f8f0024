import { expect, test } from 'vitest'
import { model, textOf } from '../testing/inputs.ts'

test('explains how to send the version with a generated client', () => {
  const { mediaType } = model.newest.fact
  expect(textOf('downloads.md')).toContain(`headers={"Accept": "${mediaType}"}`)
  expect(textOf('guides/versioning.md')).toContain(
    `set the \`Accept\` header of every request to \`${mediaType}\``,
  )
})

test('offers the newest version’s provenance as an overlay of its document', () => {
  const { id } = model.newest.fact
  expect(textOf('downloads.md')).toContain(`[${id}.overlay.json](openapi/${id}.overlay.json)`)
  expect(textOf('downloads.md')).toContain(`--overlay ${id}.overlay.json`)
  expect(JSON.parse(textOf(`openapi/${id}.overlay.json`)).extends).toBe(`${id}.json`)
  expect(textOf(`openapi/${id}.json`)).not.toContain('x-strength')
})
