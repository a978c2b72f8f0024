import { expect, test } from 'vitest'
import { trialIn } from '../../test/context-over.ts'
import { NoResponse } from '../http/transport.ts'
import { loadApi } from '../model/api.ts'
import { NotArranged, Untestable, Violation } from '../model/signals.ts'
import accept from '../rules/versions/accept.ts'
import { openJournal } from '../run-context/journal.ts'
import { createPrerequisites } from '../run-context/prerequisites.ts'
import { createRunContext } from '../run-context/run-context.ts'
import { demoTarget } from '../target/demo.ts'

const api = loadApi()
const refuse = () => expect.fail('no credentials are asked for')

/**
 * Returns the outcome for a target with the given time. The target rejects all versions of an operation that
 * has versions from 2023 and 2024.
 */
const saidAt = (now: () => Promise<number>, version: '2023-01-01' | '2024-05-30') => {
  const target = demoTarget({ baseUrl: 'http://127.0.0.1' })
  const cell = api.cell('getExportBucket', version) ?? expect.fail('no such cell')
  const context = createRunContext({
    api,
    target,
    journal: openJournal(),
    runTag: 'test',
    prerequisites: { ...createPrerequisites(target), canSeed: true, now },
    session: {
      challenge: refuse,
      token: refuse,
      forget: () => {},
      waits: () => 0,
      async send(request) {
        const response = { status: 406, reason: '', headers: [], body: '{}' }
        return { url: '', request, response, milliseconds: 0 }
      },
    },
  })
  const trial = trialIn(context, cell)
  return trial
}

const at = (moment: string) => async () => Date.parse(moment)

test.each([
  ['2024-01-15T12:00:00Z', '2024-05-30', 'Untestable'],
  ['2024-01-15T12:00:00Z', '2023-01-01', 'kept'],
  ['2024-05-30T00:00:00Z', '2024-05-30', 'kept'],
] as const)('at %s, a target may reject the version %s: %s', async (now, version, said) => {
  const call = await saidAt(at(now), version).call({ as: { kind: 'none' } })
  const answer = saidAt(at(now), version).send(call)
  if (said === 'kept') expect((await answer).response.status).toBe(406)
  else await expect(answer).rejects.toThrow('2024-05-30 or later (it is at 2024-01-15)')
})

test("a date after the target's current date is not requested", async () => {
  const rule = [accept['versions.later-date-resolves-to-newest-before'] ?? []].flat()[0]
  const said = async (now: string, which: number) => {
    const trial = saidAt(at(now), '2024-05-30')
    const variant = rule?.variants(trial.cell).at(which)
    return variant?.check(trial).catch((error: unknown) => error)
  }
  expect(await said('2025-01-15T00:00:00Z', -1)).toBeInstanceOf(Untestable)
  expect(await said('2026-01-15T00:00:00Z', -1)).toBeInstanceOf(Violation)
  expect(await said('2025-01-15T00:00:00Z', 0)).toBeInstanceOf(Violation)
})

test("uses the kit's time if the target's time is unknown", async () => {
  const now = { method: 'GET', path: '/clock', headers: [] }
  for (const failure of [new NotArranged('no'), new NoResponse(now, 'TIMEOUT')]) {
    const trial = saidAt(() => Promise.reject(failure), '2024-05-30')
    expect((await trial.send(await trial.call({ as: { kind: 'none' } }))).response.status).toBe(406)
  }
})
