import { expect, test } from 'vitest'
import { loadApi } from '../engine/api.ts'
import { openJournal } from './journal.ts'
import { createPrerequisites } from './prerequisites.ts'
import { createWorld } from './world.ts'

const refuse = async (): Promise<never> => {
  throw new Error('nothing is sent')
}

test('a target on which nothing can be put in place has nothing to be taken away', async () => {
  const target = { baseUrl: 'http://127.0.0.1:1', roles: {}, things: {} }
  const session = { send: refuse, challenge: refuse, token: refuse, forget: () => {} }
  const world = createWorld({
    api: loadApi(),
    target,
    session,
    prerequisites: createPrerequisites(target),
    journal: openJournal(),
    runTag: 'tag',
  })
  await expect(world.prerequisites.seed({ projects: [{ id: 'p' }] })).rejects.toThrow('put things in place')
  expect(await world.cleanUp()).toEqual([])
})
