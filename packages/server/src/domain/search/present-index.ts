import { problem } from '../problem.ts'
import type { IndexKey } from './index-key.ts'
import { type CurrentIndex, indexAt, type StoredIndex } from './index-state.ts'

export interface PresentIndex<I> {
  readonly index: I
  readonly current: CurrentIndex
}

/** Returns the indexes that haven't been removed yet. */
export function present<I extends StoredIndex>(indexes: readonly I[], now: number): PresentIndex<I>[] {
  return indexes.flatMap((index) => {
    const current = indexAt(index, now)
    return current ? [{ index, current: current }] : []
  })
}

/**
 * Returns an index with its current state.
 *
 * @throws {Problem} `RESOURCE_NOT_FOUND` if the index doesn't exist or was removed.
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
