import { expect, test } from 'vitest'
import { createTrial } from '../check/trial.ts'
import type { HttpSession } from '../http/session.ts'
import { loadApi } from '../model/api.ts'
import { createRandom } from '../model/random.ts'
import { openJournal } from '../run-context/journal.ts'
import { createPrerequisites } from '../run-context/prerequisites.ts'
import { createRunContext } from '../run-context/run-context.ts'
import { demoTarget } from '../target/demo.ts'
import type { Target } from '../target/target.ts'
import { forForeign } from './foreign.ts'

const api = loadApi()
const plain = demoTarget({ baseUrl: 'http://127.0.0.1:1' })
const foreign = { ...plain.foreign }

/**
 * Lets all cells request another tenant's resources. Returns the methods of these requests, and the reasons
 * why other cells are untestable.
 */
const sentFor = async (target: Target): Promise<{ methods: string[]; reasons: string[] }> => {
  const methods: string[] = []
  const reasons = new Set<string>()
  const refuse = () => expect.fail('nobody asks for it')
  const session: HttpSession = {
    challenge: refuse,
    token: refuse,
    forget: () => {},
    waits: () => 0,
    async send(request) {
      if (Object.values(foreign).some((id) => request.path.includes(id))) methods.push(request.method)
      const response = { status: 404, reason: '', headers: [], body: '{}' }
      return { url: request.path, request, response, milliseconds: 1 }
    },
  }
  const prerequisites = createPrerequisites(target)
  const context = createRunContext({
    api,
    target,
    session,
    prerequisites,
    journal: openJournal(),
    runTag: 'tag',
  })
  for (const rule of forForeign(() => {}))
    for (const cell of api.cells.filter((one) => one.version.id === 'v1.0' && rule.at(one) === true))
      for (const { check } of rule.variants(cell)) {
        const trial = createTrial({ context, cell, random: createRandom(1, cell.key), inputs: 1, record: [] })
        await check(trial).catch((error: Error) => reasons.add(error.message))
      }
  return { methods: [...new Set(methods)].sort(), reasons: [...reasons] }
}

test('resources of another tenant are only read, unless they may be lost', async () => {
  const kept = await sentFor(plain)
  expect(kept.methods).toEqual(['GET'])
  expect(kept.reasons).toContain("permission to change another tenant's resources (foreignMayBeLost)")
  const lost = await sentFor({ ...plain, foreignMayBeLost: true })
  expect(lost.methods).toEqual(expect.arrayContaining(['GET', 'PATCH', 'POST']))
  expect((await sentFor({ ...plain, foreignMayBeLost: true, readOnly: true })).methods).toEqual(['GET'])
})

test('without another tenant, no requests are sent', async () => {
  const { foreign: _, ...alone } = plain
  expect((await sentFor(alone)).methods).toEqual([])
})
