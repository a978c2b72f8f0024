import { expect, test } from 'vitest'
import { contextOver, dated, trialIn } from '../../../test/context-over.ts'
import listAlerts from './listAlerts.ts'

/** Returns the breach if the server returns these IDs for a status, and those IDs without a status. */
const breachOf = async (status: string, filtered: readonly string[], everything: readonly string[]) => {
  const { context } = contextOver(({ path }) => {
    const ids = path.includes(`status=${status}`) ? filtered : everything
    return [200, { results: ids.map((id) => ({ id, status })), links: [], totalCount: ids.length }]
  })
  const cell = dated('listAlerts')
  const [rule] = [listAlerts['listAlerts.status-filters'] ?? []].flat()
  const variant = rule?.variants(cell).find(({ label }) => label === status) ?? expect.fail('no such check')
  return variant.check(trialIn(context, cell)).then(
    () => undefined,
    (error) => error.breach,
  )
}

test('accepts the same alerts in any order', async () => {
  expect(await breachOf('CLOSED', ['b', 'a'], ['a', 'b'])).toBeUndefined()
})

test('names an alert that only the list with the status contains', async () => {
  expect(await breachOf('CLOSED', ['a'], [])).toMatchObject({
    expected: 'a list of all alerts that includes a, as the list with status=CLOSED does',
    actual: 'a list without it',
  })
})

test('names an alert that the list with the status lacks', async () => {
  const breach = await breachOf('CLOSED', [], ['a'])
  expect(breach).toMatchObject({ expected: 'a list that includes a, because the status is CLOSED' })
})
