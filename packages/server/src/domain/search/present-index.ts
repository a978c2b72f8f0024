import { problem } from '../problem.ts'
import type { IndexKey } from './index-key.ts'
import { type CurrentIndex, indexAt, type StoredIndex } from './index-state.ts'

/** An existing index and its current state. */
export interface PresentIndex<I> {
  readonly index: I
  readonly current: CurrentIndex
}

/** Returns the indexes that currently exist. */
export function present<I extends StoredIndex>(indexes: readonly I[], now: number): PresentIndex<I>[] {
  return indexes.flatMap((index) => {
    const current = indexAt(index, now)
    return current ? [{ index, current: current }] : []
  })
}

/**
 * Returns the index with its current state. @throws {Problem} `RESOURCE_NOT_FOUND` if the index doesn't exist or no
 * longer exists.
 */
export function requirePresent<I extends StoredIndex>(
  index: I | undefined,
  key: IndexKey,
  now: number,
): PresentIndex<I> {
  const current = index && indexAt(index, now)
  if (index && current) return { index, current: current }
  const which =
    'id' in key
      ? `with the ID ${key.id} exists on the cluster`
      : `named ${key.name} exists in the namespace ${key.database}.${key.collectionName}`
  throw problem('RESOURCE_NOT_FOUND', { detail: `No Search index ${which}.` })
}
