import { expect, test, vi } from 'vitest'
import { dated, outcomeIn, seeding } from '../../test/context-over.ts'
import { isArray } from '../document/json.ts'
import { defaultSizeOfLongList } from './long-lists.ts'

test('a long list is seeded in portions, because targets may seed each portion in one transaction', async () => {
  const { context, rows } = seeding(() => [200, { results: [], totalCount: 0 }])
  const seed = vi.spyOn(context.prerequisites, 'seed')
  await outcomeIn(context, dated('listExportBuckets'), defaultSizeOfLongList, 'more items')
  const sizes = seed.mock.calls.flatMap(([{ exportBuckets }]) =>
    isArray(exportBuckets) ? [exportBuckets.length] : [],
  )
  expect(Math.max(...sizes)).toBe(100)
  expect(new Set(rows.get('exportBuckets')?.map(({ _id }) => _id)).size).toBe(501)
})
