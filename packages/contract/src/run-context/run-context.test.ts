import { expect, test } from 'vitest'
import type { RawRequest } from '../http/exchange.ts'
import { loadApi } from '../model/api.ts'
import { NotArranged, Untestable } from '../model/signals.ts'
import { openJournal } from './journal.ts'
import { createPrerequisites } from './prerequisites.ts'
import { createRunContext } from './run-context.ts'

const refuse = async (): Promise<never> => {
  throw new Error('nothing is sent')
}

test("a target that can't be seeded needs no cleanup", async () => {
  const target = { baseUrl: 'http://127.0.0.1:1', roles: {}, things: {} }
  const session = { send: refuse, challenge: refuse, token: refuse, forget: () => {}, waits: () => 0 }
  const context = createRunContext({
    api: loadApi(),
    target,
    session,
    prerequisites: createPrerequisites(target),
    journal: openJournal(),
    runTag: 'tag',
  })
  await expect(context.prerequisites.seed({ projects: [{ id: 'p' }] })).rejects.toThrow('create resources')
  expect(await context.cleanUp()).toEqual([])
})

test.each([
  [undefined, '/api/svc/v2/'],
  [['v1.0'], '/api/svc/v1.0/'],
  [['2023-01-01', '2024-05-30'], '/api/svc/v2/'],
])('the kit itself uses a tested version: %j at %s', async (tested, start) => {
  const target = {
    baseUrl: 'http://127.0.0.1:1',
    roles: { PROJECT_OWNER: { apiKey: { publicKey: 'key', privateKey: 'secret' } } },
    things: { groupId: '64b7e1c20f3a5d6e7f809101' },
  }
  const paths: string[] = []
  const session = {
    challenge: refuse,
    token: refuse,
    forget: () => {},
    waits: () => 0,
    send: async (request: RawRequest) => {
      paths.push(request.path)
      const response = { status: 200, reason: 'OK', headers: [], body: '{}' }
      return { url: request.path, request, response, milliseconds: 1 }
    },
  }
  const context = createRunContext({
    api: loadApi(),
    target,
    session,
    versions: tested,
    journal: openJournal(),
    runTag: 'tag',
    prerequisites: createPrerequisites(target),
  })
  await context.perform('listAlerts', target.things)
  expect(paths).toEqual([expect.stringContaining(start)])
})

test('creates a shared value once, and retries if a hook failed', async () => {
  const target = { baseUrl: 'http://127.0.0.1:1', roles: {}, things: {} }
  const context = createRunContext({
    api: loadApi(),
    target,
    journal: openJournal(),
    runTag: 'tag',
    session: { send: refuse, challenge: refuse, token: refuse, forget: () => {}, waits: () => 0 },
    prerequisites: createPrerequisites(target),
  })
  for (const [error, times] of [
    [new NotArranged('it hung up'), 2],
    [new Untestable('something'), 1],
  ] as const) {
    let made = 0
    const make = async (): Promise<never> => {
      made += 1
      throw error
    }
    for (const _ of [1, 2]) await expect(context.once(error.name, make)).rejects.toBe(error)
    expect(made).toBe(times)
  }
})
