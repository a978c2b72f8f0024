import type { Located } from '../rules/read/json.ts'
import { contentOf, type OperationView } from '../rules/read/operations.ts'
import type { Collector } from './change.ts'
import type { Direction } from './direction.ts'
import { compareSchemas } from './schemas.ts'
import { reportUnjudged } from './unjudged.ts'

export interface Comparison {
  before: unknown
  after: unknown
  collector: Collector
  /** The date of the comparison, as YYYY-MM-DD. */
  today: string
  /** The roles that each role includes. Empty if the roles are unknown. */
  includes: Record<string, string[]>
}

export interface Pair {
  older: OperationView
  newer: OperationView
}

/** Compares the media types of a body, and the schema of each media type. */
export function compareContents(
  old: Located,
  now: Located,
  direction: Direction,
  { newer }: Pair,
  { before, after, collector }: Comparison,
): void {
  const contents = new Map(contentOf(now).map((each) => [each.mediaType, each]))
  const known = contentOf(old)
  for (const { mediaType, value, path } of known) {
    const same = contents.get(mediaType)
    if (!same) {
      collector.add(
        'breaking',
        `${direction}-media-type-removed`,
        path,
        `The media type ${mediaType} was removed.`,
        newer.id,
      )
      continue
    }
    const isOfContent = (name: string) => name === 'schema'
    reportUnjudged(value, same.value, isOfContent, 'media-type', same.path, collector, newer.id)
    compareSchemas(
      { document: before, schema: value.schema, path: [...path, 'schema'] },
      { document: after, schema: same.value.schema, path: [...same.path, 'schema'] },
      direction,
      newer.id,
      collector,
    )
  }
  for (const { mediaType, path } of contents.values())
    if (!known.some((each) => each.mediaType === mediaType))
      collector.add(
        'additive',
        `${direction}-media-type-added`,
        path,
        `The media type ${mediaType} was added.`,
        newer.id,
      )
}
