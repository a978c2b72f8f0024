import { expect, test } from 'vitest'
import { anonymous } from '../http/authorization.ts'
import type { Header } from '../http/exchange.ts'
import { createSecrets } from '../http/secrets.ts'
import { loadApi } from './api.ts'
import { buildCall, type CallChanges } from './call.ts'
import { createJudging, type JudgingOptions } from './judging.ts'
import type { Recorded } from './trial.ts'

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

/** What judges of a requirement saw in exchanges, each of a case of its own. */
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

test('the gravest of what was seen stays, whatever was seen first', () => {
  for (const exchanges of [
    [['a', decided] as const, ['b', stated] as const],
    [['b', stated] as const, ['a', decided] as const],
  ])
    expect(seenOf('errors.body-valid', exchanges)?.observation).toMatchObject({
      ...{ caseId: 'b', strength: 'stated' },
      recorded: stated,
    })
})

test('a promise binds no more than the part of it that was broken', () => {
  expect(seenOf('errors.body-valid', [['a', decided]])?.observation?.strength).toBe('decided')
})

test('a promise that was decided binds no more for a schema that says it more firmly', () => {
  const empty = recorded(200, {}, {}, cellOf('listSnapshots', '2023-01-01'))
  expect(seenOf('errors.body-complete', [['a', empty]])?.observation?.strength).toBe('decided')
})

test('of equals, that of the first case stays, also where it kept the promise', () => {
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

test('what was answered instead is told without secrets', () => {
  const error = { error: 401, errorCode: 'private-key', reason: 'Unauthorized', detail: 'No.' }
  expect(seenOf('errors.code-in-catalogue', [['a', recorded(401, error)]])?.observation?.actual).toBe(
    '[masked]',
  )
})

test('what is sent to no operation covers none', () => {
  const judging = createJudging({ secrets: createSecrets() })
  judging.judge('a', [recorded(404, {}, { offRoute: true }), recorded(200, {})])
  expect(judging.coverage()).toEqual([{ operation: 'getAlert', version: 'v1.0', status: 200 }])
})
