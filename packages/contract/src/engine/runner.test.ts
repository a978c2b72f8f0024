import { expect, test } from 'vitest'
import { anonymous } from '../http/authorization.ts'
import type { RawRequest } from '../http/exchange.ts'
import { createSecrets } from '../http/secrets.ts'
import type { Session } from '../http/session.ts'
import { demoTarget } from '../target/demo.ts'
import { type Done, openJournal } from '../world/journal.ts'
import { createPrerequisites } from '../world/prerequisites.ts'
import { createWorld, type World } from '../world/world.ts'
import { loadApi } from './api.ts'
import { expectThat } from './expect.ts'
import { makePlan, type Selection } from './plan.ts'
import { always, forEach, type Rules } from './rule.ts'
import { type RunOptions, run } from './runner.ts'

const body = JSON.stringify({
  error: 401,
  errorCode: 'UNAUTHORIZED',
  reason: 'Unauthorized',
  detail: 'It is private-key.',
})

/** A server that refuses everybody, gives the key away, and takes longer for some than for others. */
const sessionThat = (sent: RawRequest[], delay: (count: number) => number): Session => ({
  challenge: async () => ({ scheme: 'digest', parameters: {} }),
  token: async () => ({ value: '', seconds: 0 }),
  forget: () => {},
  waits: () => 0,
  async send(request) {
    sent.push(request)
    for (let ticks = delay(sent.length); ticks > 0; ticks -= 1) await Promise.resolve()
    const headers = [['Content-Type', 'application/json']] as const
    return {
      url: `http://x${request.path}`,
      request,
      response: { status: 401, reason: '', headers, body },
      milliseconds: 1,
    }
  },
})

const worldWith = (session: Session): World => {
  const target = demoTarget({ baseUrl: 'http://127.0.0.1' })
  const prerequisites = createPrerequisites(target)
  return createWorld({
    api: loadApi(),
    target,
    session,
    prerequisites,
    journal: openJournal(),
    runTag: 'test',
  })
}

const rules: Rules = {
  'auth.no-credentials-refused': forEach(
    () => ['a', 'b', 'c'],
    (what) => what,
    async (trial, what) => {
      const exchange = await trial.try({
        as: anonymous,
        headers: [['X-Random', trial.random.hex(8)]],
        query: [['what', what]],
      })
      expectThat(what !== 'b', { expected: 'no b', actual: 'b', exchange })
    },
    { phase: 'read' },
  ),
  'errors.validation': always(async () => {
    throw new TypeError('a fault of the kit')
  }),
}

const selection: Selection = { operations: ['getAlert', 'listAlerts'] }

const running = async (
  parallel: number,
  delay: (count: number) => number,
  seed = 1,
  more: Partial<RunOptions> = {},
) => {
  const sent: RawRequest[] = []
  const secrets = createSecrets(['private-key'])
  const plan = makePlan(loadApi(), [rules], selection)
  const made = await run({
    world: worldWith(sessionThat(sent, delay)),
    secrets,
    plan,
    selection,
    parallel,
    seed,
    ...more,
  })
  return { ...made, sent: sent.map(({ path, headers }) => JSON.stringify([path, headers])).sort() }
}

test('verdicts and requests depend on the seed, not on order or parallelism', async () => {
  const one = await running(1, () => 0)
  const many = await running(16, (count) => (count * 7) % 13)
  expect(many.results).toEqual(one.results)
  expect(many.sent).toEqual(one.sent)
  expect((await running(1, () => 0, 2)).sent).not.toEqual(one.sent)
})

test('a fault of the kit is neither pass nor fail, and ends nothing', async () => {
  const { results } = await running(4, () => 0)
  const faults = results.filter(({ requirement }) => requirement === 'errors.validation')
  expect(new Set(faults.map(({ verdict }) => verdict))).toEqual(new Set(['KIT ERROR']))
  expect(faults[0]?.reason).toContain('a fault of the kit')
})

test('judges look at every exchange and tell of a place once', async () => {
  const { results } = await running(4, () => 0)
  const challenge = results.filter(({ requirement }) => requirement === 'auth.unauthorized-carries-challenge')
  expect(challenge.map(({ verdict, exchanges }) => [verdict, exchanges])).toEqual(
    Array.from({ length: 4 }, () => ['FAIL', 3]),
  )
})

test('judges speak of the requirements alone that were asked for', async () => {
  const { results } = await running(4, () => 0, 1, { selection: { ...selection, requirements: ['errors.'] } })
  const judged = results.filter(({ variant }) => variant === '').map(({ requirement }) => requirement)
  expect(judged).toContain('errors.no-secret')
  expect(judged.filter((requirement) => !requirement.startsWith('errors.'))).toEqual([])
})

test('what is reported of an exchange has no secret in it', async () => {
  const { results } = await running(4, () => 0)
  expect(JSON.stringify(results)).not.toContain('private-key')
  expect(results.find(({ requirement }) => requirement === 'errors.no-secret')?.verdict).toBe('WARN')
})

test('statuses that were seen are counted by operation and version', async () => {
  const { coverage } = await running(4, () => 0)
  expect(coverage).toContainEqual({ operation: 'getAlert', version: 'v1.0', status: 401 })
})

test('a run that is taken up anywhere makes the rest of the checks, and finds what a whole one finds', async () => {
  const all: Done[] = []
  const whole = await running(1, () => 0, 1, { onDone: (done) => all.push(done) })
  const verdicts = (results: typeof whole.results) => results.map(({ id, verdict }) => `${verdict} ${id}`)
  expect(all).toHaveLength(16)
  for (const cut of [0, 1, 5, 12, 15, 16]) {
    const rest: Done[] = []
    const earlier = all.slice(0, cut)
    const resumed = await running(4, () => 0, 1, { earlier, onDone: (done) => rest.push(done) })
    expect(verdicts(resumed.results)).toEqual(verdicts(whole.results))
    expect(resumed.coverage).toEqual(whole.coverage)
    const ids = (dones: readonly Done[]) => dones.map(({ result }) => result.id)
    expect([...ids(earlier), ...ids(rest)].sort()).toEqual(ids(all).sort())
    expect(whole.sent).toEqual(expect.arrayContaining(resumed.sent))
  }
  expect((await running(1, () => 0, 1, { earlier: all })).sent).toEqual([])
})

test('a journal tells of what was kept once at each place, and of what was broken every time', async () => {
  const all: Done[] = []
  await running(1, () => 0, 1, { onDone: (done) => all.push(done) })
  const judged = all.flatMap((done) => done.judged)
  const of = (broken: boolean) =>
    judged.filter(({ verdict }) => (verdict !== 'PASS') === broken).map(({ id }) => id)
  expect(of(false).length).toBeGreaterThan(0)
  expect(new Set(of(false)).size).toBe(of(false).length)
  expect(new Set(of(true)).size).toBeLessThan(of(true).length)
  const places = all.flatMap(({ coverage }) => coverage.map((place) => JSON.stringify(place)))
  expect(new Set(places).size).toBe(places.length)
})
