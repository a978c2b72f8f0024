import { describe, expect, test } from 'vitest'
import { contextWith } from '../../test/context-over.ts'
import { createSecrets } from '../http/secrets.ts'
import type { HttpSession } from '../http/session.ts'
import { loadApi } from '../model/api.ts'
import { Violation } from '../model/signals.ts'
import { makePlan } from '../run/plan.ts'
import { run } from '../run/runner.ts'
import { always, onOneGeneration, timed } from './rule.ts'

const api = loadApi()

/**
 * Runs a check that fails `failures` times, on a target that asks the kit to wait `delays` times. Returns the outcome.
 */
const verdictOn = async (failures: number, delays: number) => {
  let [tries, waits] = [0, 0]
  const refuse = () => Promise.reject(new Error('no request is sent'))
  const session: HttpSession = {
    send: refuse,
    challenge: refuse,
    token: refuse,
    forget: () => {},
    waits: () => waits,
  }
  const check = async (): Promise<void> => {
    tries += 1
    if (waits < delays) waits += 1
    if (tries <= failures) throw new Violation({ expected: 'the current state', actual: 'a later state' })
  }
  const context = contextWith(session)
  const selection = { operations: ['getAlert'], versions: ['v1.0'] }
  const plan = makePlan(api, [{ 'errors.validation': timed(check) }], selection)
  const { results } = await run({ context, secrets: createSecrets(), plan, selection })
  return { tries, verdict: results.find(({ requirement }) => requirement === 'errors.validation')?.verdict }
}

describe('a check that depends on time', () => {
  test('runs again if the target asked to wait meanwhile', async () => {
    expect(await verdictOn(1, 1)).toEqual({ tries: 2, verdict: 'PASS' })
    expect(await verdictOn(2, 2)).toEqual({ tries: 3, verdict: 'PASS' })
  })

  test('fails if there was no wait, or after several attempts', async () => {
    expect(await verdictOn(1, 0)).toMatchObject({ tries: 1, verdict: expect.not.stringMatching('PASS') })
    expect(await verdictOn(2, 1)).toMatchObject({ tries: 2, verdict: expect.not.stringMatching('PASS') })
    expect(await verdictOn(9, 9)).toMatchObject({ tries: 3, verdict: expect.not.stringMatching('PASS') })
  })
})

test('runs requests for tokens one at a time, regardless of the phase of a rule', () => {
  const phaseAt = (operation: 'issueToken' | 'getAlert' | 'deleteAlertConfig', phase?: 'read' | 'write') => {
    const cell = api.cells.find((one) => one.operation.id === operation)
    return cell && always(async () => {}, phase && { phase }).phase(cell)
  }
  expect([phaseAt('issueToken'), phaseAt('issueToken', 'read')]).toEqual(['alone', 'alone'])
  expect([phaseAt('getAlert'), phaseAt('getAlert', 'write')]).toEqual(['read', 'write'])
  expect([phaseAt('deleteAlertConfig'), phaseAt('deleteAlertConfig', 'read')]).toEqual(['write', 'refusal'])
})

test('a path that also matches another operation does not belong to one generation alone', () => {
  const responseFor = (id: string) => {
    const cell = api.cells.find(({ operation }) => operation.id === id)
    return cell && onOneGeneration(cell)
  }
  expect(responseFor('createSearchIndex')).toBe(true)
  expect(responseFor('getAlert')).toBe('the operation is in both generations')
  expect(responseFor('listShardedClusterSnapshots')).toBe('a different operation uses the same path')
})
