import { expect, test } from 'vitest'
import { shownClasses } from '../model/changes.ts'
import { model, textOf } from '../testing/inputs.ts'

test('a comparison counts as many changes of a class as its table has rows', () => {
  for (const { before, after } of model.inputs.changelog) {
    const page = textOf(`changelog/${before}/${after}/index.md`)
    if (page.includes('Nothing that callers can see')) continue
    for (const kind of shownClasses) {
      const title = `${kind[0]?.toUpperCase()}${kind.slice(1)}`
      const [, told] = new RegExp(`^- ${title}: (\\d+) change`, 'm').exec(page) ?? []
      const [, part = ''] = page.split(`## ${title} changes\n`)
      const rows = part.split('\n## ')[0]?.match(/^\| /gm)?.length ?? 0
      expect(Number(told), `${before} to ${after}, ${kind}`).toBe(Math.max(0, rows - 2))
    }
  }
})

test('the Markdown of a version leads to its console, which has no Markdown', () => {
  for (const { id } of model.versions) {
    expect(textOf(`${id}/index.md`)).toContain(`../console/${id}/index.html`)
    expect(textOf(`${id}/index.md`)).not.toContain(`console/${id}/index.md`)
  }
})

test('between generations it is said that every call changes, and nowhere else', () => {
  for (const { before, after } of model.inputs.changelog) {
    const page = textOf(`changelog/${before}/${after}/index.md`)
    expect(page.includes('Every call changes'), `${before} to ${after}`).toBe(before === 'v1.0')
  }
})

test('what the documents do not show of a call is among what breaks callers', () => {
  for (const before of ['v1.0', '2023-01-01']) {
    const [, breaking = ''] = textOf(`changelog/${before}/2024-05-30/index.md`).split('## Breaking changes\n')
    expect(breaking.split('\n## ')[0]).toMatch(
      /^\| A body with neither `acknowledgedUntil` nor .* \| the operation \| .*acknowledgeAlert/m,
    )
  }
})
