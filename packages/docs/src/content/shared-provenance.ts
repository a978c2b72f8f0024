import type { FieldRow } from './block.ts'
import { strengthText } from './strength.ts'

/** Fields without their shared provenance, and a line of Markdown for each kind of shared provenance. */
export interface SharedProvenance {
  readonly lines: readonly string[]
  readonly rows: readonly FieldRow[]
}

/** Provenance counts as shared if at least this many fields have it. */
const fewest = 2

/** Finds the most common provenance, which the page shows only once. */
export function sharedProvenance(rows: readonly FieldRow[]): SharedProvenance {
  const standing = usual(rows.map(standingOf))
  const needs = rows.flatMap((row) => needOf(row) ?? [])
  const mark = needs.every(({ mark: each }) => each === needs[0]?.mark)
    ? usual(needs.map((each) => each.mark))
    : ''
  return {
    lines: [
      ...(standing ? [`Unmarked fields: ${standing}.`] : []),
      ...(mark ? [`Why fields are ${needs[0]?.words}: ${mark}.`] : []),
    ],
    rows: rows.map((row) => {
      const own = standing && standingOf(row) === standing ? withoutStanding(row) : row
      return mark ? withoutNeed(own) : own
    }),
  }
}

/** Returns the most common text. Returns `undefined` if a field has no text. */
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

/**
 * Returns whether the field is required in requests or always present in responses, with the mark that shows the
 * source.
 */
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
