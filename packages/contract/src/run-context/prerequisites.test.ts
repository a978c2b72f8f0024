import { expect, test } from 'vitest'
import type { JsonObject } from '../document/json.ts'
import { NoResponse } from '../http/transport.ts'
import type { Hooks } from '../target/target.ts'
import { createPrerequisites } from './prerequisites.ts'

/** Creates a target with these hooks, each at an address of its own. Records the requests to the hooks. */
const withHooks = (...names: readonly (keyof Hooks)[]) => {
  const sent: [string, unknown][] = []
  const hooks = Object.fromEntries(names.map((name) => [name, { url: `http://127.0.0.1:1/${name}` }]))
  const prerequisites = createPrerequisites(
    { baseUrl: 'http://127.0.0.1:1', roles: {}, things: {}, hooks },
    {
      fetcher: async (url, init) => {
        sent.push([new URL(String(url)).pathname, JSON.parse(String(init?.body))])
        return Response.json({ alerts: ['a', { id: 'b' }] })
      },
      now: () => 1000,
    },
  )
  return { prerequisites, sent }
}

const project: JsonObject = { projects: [{ id: 'p' }] }

test('without hooks, reports which prerequisite is missing', async () => {
  const { prerequisites } = withHooks()
  const { canRaiseEvents, canMoveClock, canAddAccessLogs, canSeed } = prerequisites
  expect([canRaiseEvents, canMoveClock, canAddAccessLogs, canSeed]).toEqual([false, false, false, false])
  await expect(prerequisites.seed(project)).rejects.toThrow('a way to create resources')
  await expect(prerequisites.arrange('search-indexes/fail', {})).rejects.toThrow(
    'a way to arrange search-indexes/fail',
  )
  await expect(prerequisites.advanceClock(1)).rejects.toThrow('a way to advance the clock')
})

test("a hook gets the same input as the sandbox's control interface", async () => {
  const { prerequisites, sent } = withHooks('raiseEvent', 'arrange')
  const event = { groupId: 'g', eventTypeName: 'HOST_DOWN', active: true }
  expect(await prerequisites.event(event)).toEqual(['a', 'b'])
  await prerequisites.arrange('live-migrations/fail', { groupId: 'g' })
  expect(sent).toEqual([
    ['/raiseEvent', event],
    ['/arrange', { action: 'live-migrations/fail', details: { groupId: 'g' } }],
  ])
})

test.each([
  ['is busy once', [503], 'done'],
  ['stays busy', [503, 503, 503], 'NotArranged'],
  ['rejects the seed', [400], 'NotArranged'],
])('a sandbox that %s', async (_, statuses, outcome) => {
  const left = [...statuses]
  const { seed } = createPrerequisites(
    { baseUrl: 'http://127.0.0.1:1', roles: {}, things: {}, control: 'http://127.0.0.1:1' },
    { fetcher: async () => Response.json({}, { status: left.shift() ?? 200 }) },
  )
  expect(
    await seed(project).then(
      () => 'done',
      ({ name }) => name,
    ),
  ).toBe(outcome)
})

test("an action that a resource's state doesn't allow is untestable, and any other failure is an error", async () => {
  const failing = (status: number) =>
    createPrerequisites(
      { baseUrl: 'http://127.0.0.1:1', roles: {}, things: {}, control: 'http://127.0.0.1:1' },
      { fetcher: async () => Response.json({ detail: 'The job has already ended.' }, { status }) },
    )
  const fail = (status: number) => failing(status).arrange('search-indexes/fail', {})
  await expect(fail(409)).rejects.toMatchObject({
    name: 'Untestable',
    message: expect.stringMatching(/^a resource in a state that allows search-indexes\/fail .*already ended/),
  })
  await expect(fail(400)).rejects.toMatchObject({ name: 'NotArranged' })
  await expect(failing(409).seed({})).rejects.toMatchObject({ name: 'NotArranged' })
})

test('makes an operation fail once, and removes the fault afterward', async () => {
  const control = 'http://127.0.0.1:1'
  const sent: unknown[] = []
  const prerequisites = createPrerequisites(
    { baseUrl: control, roles: {}, things: {}, control },
    {
      fetcher: async (url, { method, body }) => {
        sent.push([method, url.slice(control.length), body === undefined ? undefined : JSON.parse(body)])
        return Response.json({ id: 'fault-1' })
      },
    },
  )
  const recover = await prerequisites.failNext('issueToken')
  await recover()
  expect(sent).toEqual([
    ['POST', '/faults', { operationId: 'issueToken', kind: 'status', status: 503, times: 1 }],
    ['DELETE', '/faults/fault-1', undefined],
  ])
  await expect(withHooks('arrange').prerequisites.failNext('issueToken')).rejects.toMatchObject({
    name: 'Untestable',
    message: expect.stringContaining('a way to make issueToken unavailable'),
  })
})

test('seeds only what can be removed again', async () => {
  const alone = withHooks('seed')
  expect(alone.prerequisites.canSeed).toBe(false)
  await expect(alone.prerequisites.seed(project)).rejects.toThrow('create resources')
  expect(alone.sent).toEqual([])
  const both = withHooks('seed', 'unseed')
  expect(both.prerequisites.canSeed).toBe(true)
  await both.prerequisites.seed(project)
  await both.prerequisites.unseed(project)
  expect(both.sent).toEqual([
    ['/seed', project],
    ['/unseed', project],
  ])
})

test("a target's time changes with its clock", async () => {
  const { prerequisites } = withHooks('advanceClock')
  expect(await prerequisites.now()).toBe(1000)
  await prerequisites.advanceClock(60)
  expect(await prerequisites.now()).toBe(61_000)
})

test('uses the time from a hook, and resets the clock through it', async () => {
  let now = Date.parse('2030-01-01T00:00:00Z')
  const prerequisites = createPrerequisites(
    {
      baseUrl: 'http://127.0.0.1:1',
      roles: {},
      things: {},
      hooks: { advanceClock: { url: 'http://127.0.0.1:1/' } },
    },
    {
      fetcher: async (_, { body }) => {
        now += JSON.parse(String(body)).seconds * 1000
        return Response.json({ now: new Date(now).toISOString() })
      },
      now: () => 0,
    },
  )
  const found = await prerequisites.readClock()
  expect(found).toEqual({ now: Date.parse('2030-01-01T00:00:00Z'), rate: 1 })
  await prerequisites.advanceClock(3600)
  expect(await prerequisites.now()).toBe(Date.parse('2030-01-01T01:00:00Z'))
  if (found) await prerequisites.setClock(found)
  expect(new Date(now).toISOString()).toBe('2030-01-01T00:00:00.000Z')
})

test("resets the clock by the seconds it was moved, with or without the hook's time", async () => {
  const { prerequisites, sent } = withHooks('advanceClock')
  const found = await prerequisites.readClock()
  await prerequisites.advanceClock(60)
  await prerequisites.advanceClock(3600)
  if (found) await prerequisites.setClock(found)
  if (found) await prerequisites.setClock(found)
  expect(sent.map(([, input]) => input)).toEqual([
    { seconds: 0 },
    { seconds: 60 },
    { seconds: 3600 },
    { seconds: -3660 },
  ])
  expect(await prerequisites.now()).toBe(1000)
})

test('a clock that only goes forward does not end a run', async () => {
  const prerequisites = createPrerequisites(
    {
      baseUrl: 'http://127.0.0.1:1',
      roles: {},
      things: {},
      hooks: { advanceClock: { url: 'http://127.0.0.1:1/' } },
    },
    {
      fetcher: async (_, { body }) =>
        Response.json({}, { status: JSON.parse(String(body)).seconds < 0 ? 400 : 200 }),
      now: () => 1000,
    },
  )
  await prerequisites.advanceClock(60)
  expect(await prerequisites.setClock({ now: 1000, rate: 1 })).toBe(false)
  await expect(prerequisites.advanceClock(-1)).rejects.toThrow('400')
})

test.each([
  ['whose answers are dated by it', 3_661_000, -3660],
  ['whose answers are dated by another', 1000, -60],
])('resets a clock that an earlier run moved if the target reports it: %s', async (_, date, back) => {
  const sent: number[] = []
  const hooks = { advanceClock: { url: 'http://127.0.0.1:1/' } }
  const prerequisites = createPrerequisites(
    { baseUrl: 'http://127.0.0.1:1', roles: {}, things: {}, hooks },
    {
      fetcher: async (_, { body }) => {
        sent.push(JSON.parse(String(body)).seconds)
        return Response.json({})
      },
      now: () => 1000,
      dated: async () => date,
    },
  )
  expect(await prerequisites.setClock({ now: 1000, rate: 1 }, 60)).toBe(true)
  expect(sent).toEqual([0, back])
  expect(await prerequisites.now()).toBe(1000)
})

test("a clock that can't be moved needs no reset", async () => {
  expect(await withHooks('raiseEvent').prerequisites.readClock()).toBeUndefined()
})

test('reads notifications through a hook', async () => {
  const { prerequisites, sent } = withHooks('outbox')
  expect(await prerequisites.outbox('a1', 60_000)).toEqual([])
  expect(sent).toEqual([['/outbox', { groupId: 'a1', since: '1970-01-01T00:01:00.000Z' }]])
})

test('uses the Date header of responses if the hook returns no time', async () => {
  let asked = 0
  const prerequisites = createPrerequisites(
    {
      baseUrl: 'http://127.0.0.1:1',
      roles: {},
      things: {},
      hooks: { advanceClock: { url: 'http://127.0.0.1:1/' } },
    },
    {
      fetcher: async () => Response.json({}),
      now: () => 1000,
      dated: async () => {
        asked += 1
        return 86_400_000
      },
    },
  )
  expect(await prerequisites.now()).toBe(86_400_000)
  await prerequisites.advanceClock(60)
  expect(await prerequisites.now()).toBe(86_460_000)
  expect(asked).toBe(1)
})

test('ignores a Date header close to the current time, because it has whole seconds', async () => {
  const prerequisites = createPrerequisites(
    { baseUrl: 'http://127.0.0.1:1', roles: {}, things: {} },
    { now: () => 1999, dated: async () => 1000 },
  )
  expect(await prerequisites.now()).toBe(1999)
})

/** Hooks that close the first connections without a response. */
const hangingUp = (times: number, code = 'ECONNRESET') => {
  const asked: string[] = []
  const url = 'http://127.0.0.1:1/'
  const names = ['raiseEvent', 'advanceClock', 'seed', 'unseed', 'outbox', 'addAccessLogs'] as const
  const hooks = Object.fromEntries(names.map((name) => [name, { url: url + name }]))
  const prerequisites = createPrerequisites(
    { baseUrl: url, roles: {}, things: {}, hooks },
    {
      fetcher: async (to, { method }) => {
        const path = new URL(to).pathname
        asked.push(path)
        const request = { method, path, headers: [] }
        if (asked.filter((one) => one === path).length <= times) throw new NoResponse(request, code)
        return Response.json({ now: '2030-01-01T00:00:00Z' })
      },
      now: () => 1000,
    },
  )
  return { prerequisites, asked }
}

const ended = { groupId: 'g', eventTypeName: 'HOST_DOWN', active: false }

test('retries a hook that closed the connection, unless a retry could repeat an action', async () => {
  const { prerequisites, asked } = hangingUp(2)
  await prerequisites.outbox('a1', 0)
  await prerequisites.unseed(project)
  await prerequisites.event(ended)
  expect(await prerequisites.now()).toBe(Date.parse('2030-01-01T00:00:00Z'))
  expect(asked).toHaveLength(12)
  const once = hangingUp(1)
  await expect(once.prerequisites.event({ ...ended, active: true })).rejects.toThrow(
    'no response (ECONNRESET)',
  )
  await expect(once.prerequisites.seed(project)).rejects.toThrow('no response')
  const logs = { groupId: 'g', clusterName: 'c', entries: [] }
  await expect(once.prerequisites.addAccessLogs(logs)).rejects.toThrow('no response')
  expect(once.asked).toHaveLength(3)
})

test('does not retry a hook that is unreachable or times out', async () => {
  for (const code of ['ECONNREFUSED', 'TIMEOUT']) {
    const { prerequisites, asked } = hangingUp(1, code)
    await expect(prerequisites.outbox('a1', 0)).rejects.toThrow(code)
    expect(asked).toEqual(['/outbox'])
  }
})

test('retries reading the time after a failure', async () => {
  const { prerequisites } = hangingUp(3)
  await expect(prerequisites.now()).rejects.toThrow('no response')
  expect(await prerequisites.now()).toBe(Date.parse('2030-01-01T00:00:00Z'))
})
