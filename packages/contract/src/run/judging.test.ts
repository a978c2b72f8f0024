import { expect, test } from 'vitest'
import { anonymous } from '../http/authorization.ts'
import type { Header } from '../http/exchange.ts'
import { createSecrets } from '../http/secrets.ts'
import { loadApi } from '../model/api.ts'
import type { Recorded } from '../model/call.ts'
import { buildCall, type CallChanges } from '../model/call.ts'
import { createJudging, type JudgingOptions } from './judging.ts'

const api = loadApi()

const cellOf = (...place: Parameters<typeof api.cell>) => {
  const cell = api.cell(...place)
  if (cell === undefined) throw new TypeError('no such cell')
  return cell
}

const recorded = (
  status: number,
  body: unknown,
  changes: CallChanges = {},
  cell = cellOf('getAlert', 'v1.0'),
): Recorded => {
  const headers: Header[] = [['Content-Type', 'application/json']]
  return {
    call: buildCall(cell, { parameters: {}, body: undefined, as: anonymous }, changes),
    exchange: {
      url: '',
      request: { method: 'GET', path: '/', headers: [] },
      response: { status, reason: '', headers, body: JSON.stringify(body) },
      milliseconds: 0,
    },
  }
}

/** Returns the result for one requirement after several exchanges, each from another case. */
const seenOf = (
  requirement: string,
  exchanges: readonly (readonly [caseId: string, seen: Recorded])[],
  options: Partial<JudgingOptions> = {},
) => {
  const judging = createJudging({ secrets: createSecrets(['private-key']), ...options })
  for (const [caseId, one] of exchanges) judging.judge(caseId, [one])
  return judging.tallies().find((tally) => tally.requirement === requirement)
}

const stated = recorded(200, { id: 7 })
const decided = recorded(200, { acknowledgingUsername: 'x'.repeat(300) })

test('keeps the worst observation, in any order', () => {
  for (const exchanges of [
    [['a', decided] as const, ['b', stated] as const],
    [['b', stated] as const, ['a', decided] as const],
  ])
    expect(seenOf('errors.body-valid', exchanges)?.observation).toMatchObject({
      caseId: 'b',
      strength: 'stated',
      recorded: stated,
    })
})

test('a violation is only as strong as the violated part of the requirement', () => {
  expect(seenOf('errors.body-valid', [['a', decided]])?.observation?.strength).toBe('decided')
})

test('a decided requirement does not become stronger through a stated schema', () => {
  const empty = recorded(200, {}, {}, cellOf('listSnapshots', '2023-01-01'))
  expect(seenOf('errors.body-complete', [['a', empty]])?.observation?.strength).toBe('decided')
})

test('keeps the first case among equals, also for passed checks', () => {
  const again = recorded(200, { id: 8 })
  const first = [
    ['b', stated],
    ['a', again],
  ] as const
  expect(seenOf('errors.body-valid', first)?.observation).toMatchObject({ caseId: 'a', recorded: again })
  const kept = { keepPasses: true }
  expect(seenOf('errors.success-status', first, kept)?.passing).toBe(again)
  expect(seenOf('errors.success-status', [...first].reverse(), kept)?.passing).toBe(again)
  expect(seenOf('errors.success-status', first)?.passing).toBeUndefined()
})

test('masks secrets in observations', () => {
  const error = { error: 401, errorCode: 'private-key', reason: 'Unauthorized', detail: 'No.' }
  expect(seenOf('errors.code-in-catalogue', [['a', recorded(401, error)]])?.observation?.actual).toBe(
    '[masked]',
  )
})

test('a request that is off the route covers no operation', () => {
  const judging = createJudging({ secrets: createSecrets() })
  judging.judge('a', [recorded(404, {}, { offRoute: true }), recorded(200, {})])
  expect(judging.coverage()).toEqual([{ operation: 'getAlert', version: 'v1.0', status: 200 }])
})
