import { expect, test } from 'vitest'
import { contextOver, groupId, type Response, target } from '../../test/context-over.ts'
import { loadApi } from '../model/api.ts'
import { givenParameters } from './given.ts'
import { withdrawStaleIds } from './stale-ids.ts'

const api = loadApi()
const [bucket, other, snapshot, alert] = ['1', '2', '3', '4'].map((digit) => digit.repeat(24)) as [
  string,
  string,
  string,
  string,
]
const notFound: Response = [404, { error: 404, errorCode: 'RESOURCE_NOT_FOUND', detail: 'None.' }]

const given = {
  ...target,
  things: { groupId, exportBucketId: bucket, snapshotId: snapshot, alertId: alert },
  clusters: [
    { name: 'lent', tier: 'M30' },
    { name: 'gone', tier: 'M30' },
  ],
}

/**
 * Returns the stale names on a target that has only these resources. The target's lists contain `listed` or,
 * if `listed` is null, return 404.
 */
const staleOn = async (existing: readonly string[], listed: readonly string[] | null = existing) => {
  const { context, sent } = contextOver(
    ({ path }) => {
      const names = path.split('?')[0]?.split('/groups/')[1]?.split('/') ?? []
      const named = names.filter((name) => /^(\d)\1{23}$|^lent$|^gone$/.test(name))
      if (named.some((name) => !existing.includes(name))) return notFound
      if (listed === null && named.at(-1) !== names.at(-1)) return notFound
      return [200, { results: listed?.map((id) => ({ id })) ?? [] }]
    },
    { target: given },
  )
  const stale = await withdrawStaleIds(context, context.api.cells)
  return { context, sent, stale: stale.map(({ field, value }) => `${field} ${value}`) }
}

test('names of existing resources stay', async () => {
  const { context, stale, sent } = await staleOn([bucket, snapshot, alert, 'lent', 'gone'])
  expect(stale).toEqual([])
  expect(context.target.things).toEqual(given.things)
  // The first response with a status other than 404 is enough.
  expect(sent.length).toBeLessThan(8)
})

test('a name that returns 404 is taken out of the run, with what needs it', async () => {
  const { context, stale } = await staleOn([snapshot, alert, 'lent'])
  expect(stale).toEqual(['clusters gone', `things.exportBucketId ${bucket}`])
  expect(context.staleIds[1]?.shownBy).toMatch(/^getExportBucket returned status 404 RESOURCE_NOT_FOUND/)
  expect(context.target.clusters).toEqual([{ name: 'lent', tier: 'M30' }])
  const cell = api.cells.find(({ operation }) => operation.id === 'getExportBucket')
  if (cell === undefined) throw new TypeError('there is no getExportBucket')
  await expect(givenParameters(context, cell)).rejects.toThrow(
    'the exportBucketId of an existing resource (the resource in things.exportBucketId of the target file no longer exists)',
  )
})

test('a resource that a list contains is not stale: the target is at fault', async () => {
  const { stale } = await staleOn([snapshot, alert, 'lent', 'gone'], [bucket, other])
  expect(stale).toEqual([])
})

test('a resource whose list returns 404 too is not stale: the target is at fault', async () => {
  const { stale } = await staleOn([snapshot, alert, 'lent', 'gone'], null)
  expect(stale).toEqual([])
})

test('a target that does not respond shows nothing about names', async () => {
  const { context } = contextOver(() => 'nothing', { target: given })
  expect(await withdrawStaleIds(context, context.api.cells)).toEqual([])
})

test('operations that were not probed show nothing about names', async () => {
  const { context, sent } = contextOver(() => notFound, { target: given })
  expect(await withdrawStaleIds(context, [])).toEqual([])
  expect(sent).toEqual([])
})
