import type { FieldRow } from './block.ts'

/** A strength and its source. */
export type Standing = Required<Pick<FieldRow, 'strength'>> & Pick<FieldRow, 'source'>

/** If fewer rows share their provenance, each row shows its own. */
const fewest = 2

/** The provenance that most of the rows share, so that pages don't repeat it at each field. */
export function usualStanding(rows: readonly FieldRow[]): Standing | undefined {
  const groups = new Map<string, Standing[]>()
  for (const { strength, source } of rows) {
    if (strength === undefined) return undefined
    const key = `${strength} ${source}`
    groups.set(key, [...(groups.get(key) ?? []), { strength, ...(source !== undefined && { source }) }])
  }
  const [largest = []] = [...groups.values()].sort((a, b) => b.length - a.length)
  return largest.length < fewest ? undefined : largest[0]
}

export const isStanding = (row: FieldRow, { strength, source }: Standing): boolean =>
  row.strength === strength && row.source === source

export const withoutStanding = ({ strength: _, source: __, ...row }: FieldRow): FieldRow => row
