import { setImmediate } from 'node:timers/promises'
import type { OperationId } from '@svc-admin/types'
import { expect, test } from 'vitest'
import { contextWith } from '../../test/context-over.ts'
import { always, type Check, forEach, type RuleOptions, type Rules } from '../check/rule.ts'
import { type Authorization, anonymous } from '../http/authorization.ts'
import type { RawRequest } from '../http/exchange.ts'
import { createSecrets } from '../http/secrets.ts'
import type { HttpSession } from '../http/session.ts'
import { NoResponse } from '../http/transport.ts'
import { loadApi } from '../model/api.ts'
import { buildCall } from '../model/call.ts'
import { expectThat } from '../model/expect.ts'
import type { Selection } from '../model/selection.ts'
import { Untestable, Violation } from '../model/signals.ts'
import type { Done } from '../run-context/journal.ts'
import { makePlan } from './plan.ts'
import { type RunOptions, run } from './runner.ts'

const body = JSON.stringify({
  error: 401,
  errorCode: 'UNAUTHORIZED',
  reason: 'Unauthorized',
  detail: 'It is private-key.',
})

/**
 * Creates a session for a server that rejects every request, reveals the key in its responses, and takes a
 * different time for each of them.
 */
const sessionThat = (sent: RawRequest[], delay: (count: number) => number): HttpSession => ({
  challenge: async () => ({ scheme: 'digest', parameters: {} }),
  token: async () => ({ value: '', seconds: 0, renewAt: 0 }),
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
    throw new TypeError('an error of the kit')
  }),
}

const selection: Selection = { operations: ['getAlert', 'listAlerts'] }

const running = async (
  parallel: number,
  delay: (count: number) => number,
  seed = 1,
  more: Partial<RunOptions> = {},
  table = rules,
) => {
  const sent: RawRequest[] = []
  const secrets = createSecrets(['private-key'])
  const plan = makePlan(loadApi(), [table], selection)
  const made = await run({
    context: contextWith(sessionThat(sent, delay)),
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

test('an error of the kit is neither pass nor fail, and does not end the run', async () => {
  const { results } = await running(4, () => 0)
  const faults = results.filter(({ requirement }) => requirement === 'errors.validation')
  expect(new Set(faults.map(({ verdict }) => verdict))).toEqual(new Set(['KIT ERROR']))
  expect(faults[0]?.reason).toContain('an error of the kit')
})

test('judges every exchange and reports each cell once', async () => {
  const { results } = await running(4, () => 0)
  const challenge = results.filter(({ requirement }) => requirement === 'auth.unauthorized-carries-challenge')
  expect(challenge.map(({ verdict, exchanges }) => [verdict, exchanges])).toEqual(
    Array.from({ length: 4 }, () => ['FAIL', 3]),
  )
})

test('judges only the selected requirements', async () => {
  const { results } = await running(4, () => 0, 1, { selection: { ...selection, requirements: ['errors.'] } })
  const judged = results.filter(({ variant }) => variant === '').map(({ requirement }) => requirement)
  expect(judged).toContain('errors.no-secret')
  expect(judged.filter((requirement) => !requirement.startsWith('errors.'))).toEqual([])
})

test('masks secrets in reported exchanges', async () => {
  const { results } = await running(4, () => 0)
  expect(JSON.stringify(results)).not.toContain('private-key')
  expect(results.find(({ requirement }) => requirement === 'errors.no-secret')?.verdict).toBe('WARN')
})

test('counts the seen statuses by operation and version', async () => {
  const { coverage } = await running(4, () => 0)
  expect(coverage).toContainEqual({ operation: 'getAlert', version: 'v1.0', status: 401 })
})

test('a resumed run does the remaining checks and has the results of a complete one', async () => {
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

test('the journal has passed judgments once per cell and violations every time', async () => {
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

/** Returns the outcome of a rule in four cells that run in parallel. */
const runningRule = async (check: Check, options: RuleOptions = {}, more: Partial<RunOptions> = {}) => {
  const table: Rules = { 'errors.validation': always(check, options) }
  const { results } = await running(4, () => 0, 1, more, table)
  return results.filter(({ requirement }) => requirement === 'errors.validation')
}

test('runs checks that change shared state one at a time', async () => {
  const most = async (options: RuleOptions) => {
    let [under, together] = [0, 0]
    await runningRule(async () => {
      under += 1
      together = Math.max(together, under)
      await setImmediate()
      under -= 1
    }, options)
    return together
  }
  expect(await most({ phase: 'alone' })).toBe(1)
  expect(await most({})).toBe(4)
})

test('masks secrets in the messages of checks', async () => {
  const secretText = 'not private-key'
  for (const error of [
    new Violation({ expected: secretText, actual: secretText }),
    new Untestable(secretText),
    new Error(secretText),
  ]) {
    const results = await runningRule(async () => Promise.reject(error))
    expect(results).toHaveLength(4)
    expect(JSON.stringify(results)).toContain('not [masked]')
    expect(JSON.stringify(results)).not.toContain('private-key')
  }
})

test('starts no check after the target goes down', async () => {
  let begun = 0
  const gone = always(async () => {
    begun += 1
    throw new NoResponse({ method: 'GET', path: '/', headers: [], body: undefined }, 'ECONNREFUSED')
  })
  const { ended, results } = await running(1, () => 0, 1, {}, { 'errors.validation': gone })
  expect([begun, ended?.name]).toEqual([1, 'Unreachable'])
  expect(results.filter(({ requirement }) => requirement === 'errors.validation')).toEqual([])
})

test('discards an interrupted check', async () => {
  const controller = new AbortController()
  const check = async (): Promise<void> => {
    await setImmediate()
    controller.abort()
  }
  expect(await runningRule(check, {}, { signal: controller.signal })).toEqual([])
})

test('the worse verdict of a judge and a rule wins, and the counts add up', async () => {
  const table: Rules = {
    'errors.reason-is-phrase': always(async (trial) => void (await trial.try({ as: anonymous }))),
    'auth.unauthorized-carries-challenge': always(async (trial) => void (await trial.try({ as: anonymous }))),
  }
  const { results } = await running(1, () => 0, 1, {}, table)
  const at = (requirement: string) => results.find((one) => one.id === `${requirement}@getAlert@v1.0`)
  expect(at('errors.reason-is-phrase')).toMatchObject({ verdict: 'PASS', exchanges: 3 })
  expect(at('auth.unauthorized-carries-challenge')).toMatchObject({ verdict: 'FAIL', exchanges: 3 })
})

test('the curl command includes invalid credentials, but not valid ones', async () => {
  const lineOf = async (as: Authorization) => {
    const [found] = await runningRule(async (trial) => {
      const exchange = await trial.try({ as, headers: [['Authorization', 'Basic bm9ib2R5']] })
      throw new Violation({ expected: 'a', actual: 'b', exchange })
    })
    return found?.curl
  }
  const account = { clientId: 'a', clientSecret: 'b' }
  expect(await lineOf({ kind: 'verbatim', value: 'Basic bm9ib2R5' })).toContain('Authorization: Basic')
  expect(await lineOf({ kind: 'basic', account, genuine: true })).toContain('$SVC_CLIENT_SECRET')
})

test('the curl command for the last change comes before the one for a read', async () => {
  const [found] = await runningRule(async (trial) => {
    const ingredients = { parameters: { groupId: 'a', alertConfigId: 'b' }, body: undefined, as: anonymous }
    const send = async (operation: OperationId) => {
      const cell = trial.context.api.cell(operation, 'v1.0') ?? trial.cell
      return trial.send(buildCall(cell, ingredients))
    }
    await send('deleteAlertConfig')
    await send('toggleAlertConfig')
    throw new Violation({ expected: 'a', actual: 'b', exchange: await send('listAlerts') })
  })
  const [change, read, ...more] = found?.curl?.split('\n') ?? []
  expect(change).toMatch(/^curl .* -X PATCH .*\/alertConfigs\/b$/)
  expect(read).toMatch(/^curl (?!.* -X).*\/alerts$/)
  expect(more).toEqual([])
})
