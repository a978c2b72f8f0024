import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { contextWith, trialIn } from '../../test/context-over.ts'
import { anonymous } from '../http/authorization.ts'
import type { RawRequest } from '../http/exchange.ts'
import type { HttpSession } from '../http/session.ts'
import { loadApi } from '../model/api.ts'
import bearer from '../rules/auth/bearer.ts'
import type { RunContext } from '../run-context/run-context.ts'
import type { Rule } from './rule.ts'

const api = loadApi()

const cellOf = (operation: Parameters<typeof api.cell>[0]) => {
  const cell = api.cell(operation, '2023-01-01')
  if (cell === undefined) throw new TypeError('no such cell')
  return cell
}

/** Creates a trial on a server that rejects every request. `parts` replaces parts of the run context. */
const trialAt = (operation: Parameters<typeof api.cell>[0], parts: Partial<RunContext> = {}) => {
  const sent: RawRequest[] = []
  const session: HttpSession = {
    challenge: async () => ({ scheme: 'digest', parameters: {} }),
    token: async () => ({ value: 'a-token', seconds: 3600, renewAt: Number.POSITIVE_INFINITY }),
    forget: () => {},
    waits: () => 0,
    async send(request) {
      sent.push(request)
      const body = JSON.stringify({ error: 401, errorCode: 'UNAUTHORIZED' })
      const response = { status: 401, reason: '', headers: [], body }
      return { url: 'http://x/', request, response, milliseconds: 1 }
    },
  }
  const context = { ...contextWith(session), ...parts }
  return { sent, trial: trialIn(context, cellOf(operation)) }
}

test('waits until the original state is recorded before it sends a change', async () => {
  let noted = false
  const beforeChange = async (): Promise<void> => {
    await setImmediate()
    expect(sent).toEqual([])
    noted = true
  }
  const { sent, trial } = trialAt('updateCustomDns', { beforeChange })
  await trial.try({ as: anonymous })
  expect([noted, sent.length]).toEqual([true, 1])
})

test('creates nothing for a caller that must be rejected', async () => {
  const { sent, trial } = trialAt('getAlertConfig')
  const call = await trial.call({ as: anonymous })
  expect(sent).toEqual([])
  const [{ example } = { example: '' }] = trial.cell.definition.parameters.filter(
    ({ name }) => name === 'alertConfigId',
  )
  expect(call.path).toContain(`/alertConfigs/${trial.context.target.things.alertConfigId ?? example}`)
})

test('tests a token right after it expires', async () => {
  const passed: number[] = []
  const { trial } = trialAt('getCustomDns')
  const prerequisites = {
    ...trial.context.prerequisites,
    advanceClock: async (seconds: number) => void passed.push(seconds),
  }
  const { trial: later, sent } = trialAt('getCustomDns', { prerequisites })
  const rule = bearer['auth.bearer-expired-refused'] as Rule
  for (const { check } of rule.variants(later.cell)) await check(later)
  expect([passed, sent.length]).toEqual([[3601], 1])
})
