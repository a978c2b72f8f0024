import type { FieldRow } from './block.ts'
import { strengthText } from './strength.ts'

/** Rows without their shared provenance, and a line of Markdown for each kind of shared provenance. */
export interface SharedProvenance {
  readonly lines: readonly string[]
  readonly rows: readonly FieldRow[]
}

/** The minimum number of rows that can share their provenance. */
const fewest = 2

/** Extracts the provenance that most of the rows share so that pages don't repeat it for each field. */
export function sharedProvenance(rows: readonly FieldRow[]): SharedProvenance {
  const standing = usual(rows.map(standingOf))
  const needs = rows.flatMap((row) => needOf(row) ?? [])
  const mark = needs.every(({ mark: each }) => each === needs[0]?.mark)
    ? usual(needs.map((each) => each.mark))
    : ''
  return {
    lines: [
      ...(standing ? [`Provenance of fields without a mark: ${standing}.`] : []),
      ...(mark ? [`That fields are ${needs[0]?.words} is ${mark}.`] : []),
    ],
    rows: rows.map((row) => {
      const own = standing && standingOf(row) === standing ? withoutStanding(row) : row
      return mark ? withoutNeed(own) : own
    }),
  }
}

/** Returns the most common of these texts, if each row has one. */
function usual(texts: readonly string[]): string | undefined {
  if (texts.includes('')) return undefined
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  const [[text = '', count = 0] = []] = [...counts].sort(([, a], [, b]) => b - a)
  return count < fewest ? undefined : text
}

const standingOf = ({ strength, source = '' }: FieldRow): string =>
  strength ? strengthText(strength, source) : ''

const withoutStanding = ({ strength: _, source: __, ...row }: FieldRow): FieldRow => row

const alwaysPresent = 'always present'

/** Describes whether requests must contain the field, or whether responses always do, and where this comes from. */
function needOf({
  required,
  requiredMark = '',
  notes,
}: FieldRow): { words: string; mark: string } | undefined {
  const note = notes.find((each) => each.startsWith(alwaysPresent))
  if (note !== undefined) return { words: alwaysPresent, mark: note.slice(alwaysPresent.length + 1) }
  return required ? { words: 'required', mark: requiredMark } : undefined
}

const withoutNeed = ({ requiredMark: _, ...row }: FieldRow): FieldRow => ({
  ...row,
  notes: row.notes.map((note) => (note.startsWith(alwaysPresent) ? alwaysPresent : note)),
})
