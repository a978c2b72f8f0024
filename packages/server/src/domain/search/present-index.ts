import { problem } from '../problem.ts'
import type { IndexKey } from './index-key.ts'
import { indexAt, type KeptIndex, type SeenIndex } from './index-state.ts'

/** An index that is there, and how far it has come. */
export interface PresentIndex<I> {
  readonly index: I
  readonly seen: SeenIndex
}

/** Those of some indexes that are there as of now. */
export function present<I extends KeptIndex>(indexes: readonly I[], now: number): PresentIndex<I>[] {
  return indexes.flatMap((index) => {
    const seen = indexAt(index, now)
    return seen ? [{ index, seen }] : []
  })
}

/** The index as of now. @throws {Problem} `RESOURCE_NOT_FOUND` if there is none, or none any more. */
export function requirePresent<I extends KeptIndex>(
  index: I | undefined,
  key: IndexKey,
  now: number,
): PresentIndex<I> {
  const seen = index && indexAt(index, now)
  if (index && seen) return { index, seen }
  const which =
    'id' in key
      ? `with the ID ${key.id} exists on the cluster`
      : `named ${key.name} exists in the namespace ${key.database}.${key.collectionName}`
  throw problem('RESOURCE_NOT_FOUND', { detail: `No Search index ${which}.` })
}
