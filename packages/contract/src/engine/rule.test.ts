import { describe, expect, test } from 'vitest'
import { createSecrets } from '../http/secrets.ts'
import type { Session } from '../http/session.ts'
import { demoTarget } from '../target/demo.ts'
import { openJournal } from '../world/journal.ts'
import { createPrerequisites } from '../world/prerequisites.ts'
import { createWorld } from '../world/world.ts'
import { loadApi } from './api.ts'
import { makePlan } from './plan.ts'
import { always, onOneGeneration, timed } from './rule.ts'
import { run } from './runner.ts'
import { Violation } from './signals.ts'

const api = loadApi()

/** What comes of a check that fails so often, while the target asks to be asked later so often. */
const verdictOn = async (failures: number, delays: number) => {
  let [tries, waits] = [0, 0]
  const refuse = () => Promise.reject(new Error('no request is sent'))
  const session: Session = {
    ...{ send: refuse, challenge: refuse, token: refuse },
    forget: () => {},
    waits: () => waits,
  }
  const check = async (): Promise<void> => {
    tries += 1
    if (waits < delays) waits += 1
    if (tries <= failures) throw new Violation({ expected: 'the state of now', actual: 'a later one' })
  }
  const target = demoTarget({ baseUrl: 'http://127.0.0.1' })
  const prerequisites = createPrerequisites(target)
  const world = createWorld({ api, target, session, prerequisites, journal: openJournal(), runTag: 'test' })
  const selection = { operations: ['getAlert'], versions: ['v1.0'] }
  const plan = makePlan(api, [{ 'errors.validation': timed(check) }], selection)
  const { results } = await run({ world, secrets: createSecrets(), plan, selection })
  return { tries, verdict: results.find(({ requirement }) => requirement === 'errors.validation')?.verdict }
}

describe('a check that time must not pass by', () => {
  test('is made again where the target asked to be asked later meanwhile', async () => {
    expect(await verdictOn(1, 1)).toEqual({ tries: 2, verdict: 'PASS' })
    expect(await verdictOn(2, 2)).toEqual({ tries: 3, verdict: 'PASS' })
  })

  test('fails where it was not, or time and again', async () => {
    expect(await verdictOn(1, 0)).toMatchObject({ tries: 1, verdict: expect.not.stringMatching('PASS') })
    expect(await verdictOn(2, 1)).toMatchObject({ tries: 2, verdict: expect.not.stringMatching('PASS') })
    expect(await verdictOn(9, 9)).toMatchObject({ tries: 3, verdict: expect.not.stringMatching('PASS') })
  })
})

test('requests for tokens go one after the other, whatever a rule says of its phase', () => {
  const phaseAt = (operation: 'issueToken' | 'getAlert' | 'deleteAlertConfig', phase?: 'read' | 'write') => {
    const cell = api.cells.find((one) => one.operation.id === operation)
    return cell && always(async () => {}, phase && { phase }).phase(cell)
  }
  expect([phaseAt('issueToken'), phaseAt('issueToken', 'read')]).toEqual(['alone', 'alone'])
  expect([phaseAt('getAlert'), phaseAt('getAlert', 'write')]).toEqual(['read', 'write'])
  expect([phaseAt('deleteAlertConfig'), phaseAt('deleteAlertConfig', 'read')]).toEqual(['write', 'refusal'])
})

test('a path that may be read as that of another operation is not one of a generation alone', () => {
  const responseFor = (id: string) => {
    const cell = api.cells.find(({ operation }) => operation.id === id)
    return cell && onOneGeneration(cell)
  }
  expect(responseFor('createSearchIndex')).toBe(true)
  expect(responseFor('getAlert')).toBe('it is in both generations')
  expect(responseFor('listShardedClusterSnapshots')).toBe('the path is also one of another operation')
})
