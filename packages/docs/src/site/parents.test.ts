import { expect, test } from 'vitest'
import { built, model, textOf } from '../testing/inputs.ts'

test('has a page for every shortened address', () => {
  const folders = new Set(
    [...built.files.keys()].flatMap((path) => {
      const parts = path.split('/').slice(0, -1)
      return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
    }),
  )
  folders.delete('assets')
  expect([...folders].filter((folder) => !built.files.has(`${folder}/index.html`))).toEqual([])
})

test('redirects from folders without a page to the list of their pages', () => {
  const { id } = model.newest
  for (const [folder, target] of [
    [`${id}/schemas/`, `../../${id}/index.html#schemas`],
    [`${model.versions[0]?.id}/operations/`, `../../${model.versions[0]?.id}/index.html`],
    ['openapi/', '../downloads/index.html#openapi'],
  ]) {
    const text = textOf(`${folder}index.html`)
    expect(text).toContain(`<meta http-equiv="refresh" content="0; url=${target}">`)
    expect(text).toContain(`<a href="${target}">`)
  }
})
