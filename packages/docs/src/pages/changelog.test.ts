import { expect, test } from 'vitest'
import { shownClasses } from '../model/changes.ts'
import { model, textOf } from '../testing/inputs.ts'

test('counts as many changes of a class as its table has rows', () => {
  for (const { before, after } of model.changelog) {
    const page = textOf(`changelog/${before}/${after}.md`)
    if (page.includes('There are no visible changes')) continue
    for (const kind of shownClasses) {
      const title = `${kind[0]?.toUpperCase()}${kind.slice(1)}`
      const [, counted] = new RegExp(`^- ${title}: (\\d+)`, 'm').exec(page) ?? []
      const [, part = ''] = page.split(`## ${title} changes\n`)
      const rows = part.split('\n## ')[0]?.match(/^\| /gm)?.length ?? 0
      expect(Number(counted), `${before} to ${after}, ${kind}`).toBe(Math.max(0, rows - 2))
    }
  }
})

test('notes that every request changes between generations, and only there', () => {
  for (const { before, after } of model.changelog) {
    const page = textOf(`changelog/${before}/${after}.md`)
    expect(page.includes('Every request changes'), `${before} to ${after}`).toBe(before === 'v1.0')
  }
})

test('lists changes in behavior as breaking although the documents do not show them', () => {
  for (const before of ['v1.0', '2023-01-01']) {
    const [, breaking = ''] = textOf(`changelog/${before}/2024-05-30.md`).split('## Breaking changes\n')
    expect(breaking.split('\n## ')[0]).toMatch(
      /^\| If the body contains neither `acknowledgedUntil` nor .* \| the operation \| .*acknowledgeAlert/m,
    )
  }
})

test('lists an operation as deprecated between the dates around its deprecation, and never as no longer deprecated', () => {
  const part = (name: string) =>
    textOf(`changelog/${name}.md`).split('## Deprecating changes\n')[1]?.split('\n## ')[0] ?? ''
  expect(part('2023-01-01/2024-05-30')).toMatch(
    /^\| Version 2023-01-01 .*Use version 2024-05-30\..*acknowledgeAlert/m,
  )
  expect(part('2023-01-01/2024-05-30')).toMatch(/since 2024-05-30\. Use createSearchIndex .*createFtsIndex/)
  expect(part('2023-01-01/2024-05-30')).not.toContain('getBackupSchedule')
  expect(part('2023-01-01/2024-08-05')).toContain('getBackupSchedule')
  expect(part('2024-08-05/2025-03-12')).toMatch(
    /ends on 2026-01-31\. Use listFlexBackups\..*listServerlessSnapshots/,
  )
  for (const { before, after } of model.changelog.filter(({ before }) => before !== 'v1.0'))
    expect(textOf(`changelog/${before}/${after}.md`)).not.toContain('no longer deprecated')
})
