import { expect, test } from 'vitest'
import { model, textOf } from '../testing/inputs.ts'

const page = textOf('changelog/deprecated.md')

test('lists every deprecated operation with its dates and its replacement', () => {
  for (const { operations } of model.versions)
    for (const { id, deprecation } of operations) {
      if (!deprecation) continue
      const rows = page.split('\n').filter((line) => line.startsWith(`| [\`${id}\`]`))
      expect(
        rows.some((row) => row.includes(`| ${deprecation.date} |`)),
        id,
      ).toBe(true)
      if (deprecation.sunset) expect(rows.join(), id).toContain(`| ${deprecation.sunset} |`)
    }
  expect(page).toMatch(/^\| \[`listServerlessSnapshots`\].* \| all \| .*`listFlexBackups`/m)
})

test('lists every version, and no deprecation of current operations', () => {
  for (const { id } of model.versions)
    expect(page).toMatch(new RegExp(`^\\| \\[${id.replaceAll('.', '\\.')}\\]`, 'm'))
  expect(page).not.toContain('`getAlert`')
})
