import { expect, test } from 'vitest'
import { trialIn } from '../../test/context-over.ts'
import type { Authorization } from '../http/authorization.ts'
import { loadApi } from '../model/api.ts'
import { Untestable, Violation } from '../model/signals.ts'
import { openJournal } from '../run-context/journal.ts'
import { createPrerequisites } from '../run-context/prerequisites.ts'
import { createRunContext } from '../run-context/run-context.ts'
import { demoTarget } from '../target/demo.ts'
import { expectAccepted } from './accepted.ts'

const api = loadApi()
const refuse = () => expect.fail('no credentials are asked for')

/** Returns the verdict for Bearer credentials on a target that returns the given status for each scheme. */
const saidWith = async (statuses: Partial<Record<Authorization['kind'], number>>): Promise<unknown> => {
  const target = demoTarget({ baseUrl: 'http://127.0.0.1' })
  const cell = api.cell('listMatcherFieldNames', '2023-01-01') ?? expect.fail('no such cell')
  const context = createRunContext({
    api,
    target,
    prerequisites: createPrerequisites(target),
    journal: openJournal(),
    runTag: 'test',
    session: {
      challenge: refuse,
      token: refuse,
      forget: () => {},
      waits: () => 0,
      async send(request, { kind }) {
        const response = { status: statuses[kind] ?? 200, reason: '', headers: [], body: '[]' }
        return { url: '', request, response, milliseconds: 0 }
      },
    },
  })
  const trial = trialIn(context, cell)
  return expectAccepted(trial, 'bearer').catch((error: unknown) => error)
}

test('credentials are accepted if requests succeed, and rejected after 401 or 403', async () => {
  expect(await saidWith({ bearer: 200 })).toBe(undefined)
  for (const bearer of [401, 403])
    expect(await saidWith({ bearer, digest: bearer })).toBeInstanceOf(Violation)
})

test.each([307, 400, 404, 409, 500])(
  '%i for both schemes shows nothing about the credentials',
  async (status) => {
    const said = await saidWith({ bearer: status, digest: status })
    expect(said).toBeInstanceOf(Untestable)
    expect(String(said)).toContain(`listMatcherFieldNames got status ${status}`)
  },
)

test('a status that only one scheme gets is attributed to its credentials', async () => {
  for (const bearer of [307, 404, 500]) expect(await saidWith({ bearer })).toBeInstanceOf(Violation)
})
