import generate from 'fast-check'
import { expect, test } from 'vitest'
import type { Exchange } from '../http/exchange.ts'
import { NoResponse } from '../http/transport.ts'
import { createRandom } from '../model/random.ts'
import { Lenience, Untestable, Violation } from '../model/signals.ts'
import { checkInputs } from './generated.ts'

const numbers = generate.integer({ min: 0, max: 1_000_000 })

const trialOf = (seed: number, inputs = 20) => ({ random: createRandom(seed, 'a case'), inputs })

const exchangeOf = (body: number): Exchange => ({
  url: 'http://x/',
  request: { method: 'POST', path: '/', headers: [], body: String(body) },
  response: { status: 200, reason: '', headers: [], body: '' },
  milliseconds: 1,
})

const sentBy = async (seed: number, inputs?: number): Promise<number[]> => {
  const sent: number[] = []
  await checkInputs(trialOf(seed, inputs), generate, numbers, async (input) => void sent.push(input))
  return sent
}

const thrownBy = async (check: (input: number) => Promise<void>, inputs?: number): Promise<unknown> =>
  checkInputs(trialOf(1, inputs), generate, numbers, check).then(
    () => 'expected an error',
    (error: unknown) => error,
  )

test('tries the requested number of inputs, the same ones for the same seed', async () => {
  const sent = await sentBy(7)
  expect(sent).toHaveLength(20)
  expect(new Set(sent).size).toBeGreaterThan(5)
  expect(await sentBy(7)).toEqual(sent)
  expect(await sentBy(8)).not.toEqual(sent)
  expect((await sentBy(7, 3)).length).toBe(3)
})

test('reports the smallest input that violates the requirement, with its exchange', async () => {
  const error = await thrownBy(async (input) => {
    if (input >= 1000)
      throw new Violation({ expected: 'less', actual: `${input}`, exchange: exchangeOf(input) })
  })
  expect(error).toBeInstanceOf(Violation)
  const { breach } = error as Violation
  expect(breach.actual).toBe('1000')
  expect(breach.exchange?.request.body).toBe('1000')
  expect(breach.expected).toMatch(/^less \(generated, shrunk [1-9]\d* times\)$/)
})

test('says whether and how often an input was shrunk', async () => {
  const expected = async (fails: (input: number) => boolean) => {
    const error = await thrownBy(async (input) => {
      if (fails(input)) throw new Violation({ expected: 'less', actual: `${input}` })
    })
    return error instanceof Violation ? error.breach.expected : error
  }
  expect(await expected(() => true)).toBe('less (generated, shrunk once)')
  const seen: number[] = []
  const isFirst = (input: number) => {
    seen.push(input)
    return input === seen[0]
  }
  expect(await expected(isFirst)).toBe('less (generated)')
})

const weak = (input: number, strength: 'decided' | 'open') =>
  new Violation({ expected: 'none', actual: `${input}`, strength })

test('does not shrink an input into one that violates a weaker fact', async () => {
  const error = await thrownBy(async (input) => {
    throw weak(input, input === 0 ? 'open' : 'decided')
  })
  expect((error as Violation).breach).toMatchObject({ actual: '1', strength: 'decided' })
})

test('an earlier violation of a weaker fact hides neither the requirement itself nor a target that goes down', async () => {
  let tries = 0
  const broken = await thrownBy(async (input) => {
    tries += 1
    if (tries > 5 && input >= 1000) throw new Violation({ expected: 'less', actual: `${input}` })
    throw weak(input, 'decided')
  }, 50)
  const { breach } = broken as Violation
  expect(breach).toMatchObject({ actual: '1000', expected: expect.stringContaining('shrunk') })
  expect(breach.strength).toBeUndefined()

  tries = 0
  const down = await thrownBy(async (input) => {
    tries += 1
    if (tries > 5) throw new NoResponse({ method: 'GET', path: '/', headers: [], body: undefined }, 'TIMEOUT')
    throw weak(input, 'decided')
  })
  expect((down as Violation).breach.expected).toBe('a response (generated)')
})

test('reports the strongest of several weaker facts, with the smallest input', async () => {
  const sent: number[] = []
  const error = await thrownBy(async (input) => {
    sent.push(input)
    if (input >= 1000) throw weak(input, sent.length > 3 ? 'decided' : 'open')
  }, 30)
  expect((error as Violation).breach).toMatchObject({ actual: '1000', strength: 'decided' })
  // The search must not send an input again that it has already sent.
  expect(new Set(sent.slice(0, 30)).size).toBeGreaterThan(20)
  expect(sent.slice(30).filter((input) => input === sent[0])).toEqual([])
})

test('reports a weaker fact even if the same input passes the second time', async () => {
  let tries = 0
  const error = await thrownBy(async (input) => {
    tries += 1
    if (tries === 4) throw weak(input, 'open')
  })
  expect((error as Violation).breach).toMatchObject({ expected: 'none (generated)', strength: 'open' })
  expect(tries).toBe(21)
})

test('behavior that is allowed but not recommended does not end the search', async () => {
  let tries = 0
  const lenient = new Lenience({ expected: 'more', actual: 'less' })
  const only = await thrownBy(async () => {
    tries += 1
    throw lenient
  })
  expect([only, tries]).toEqual([lenient, 20])
  const error = await thrownBy(async (input) => {
    if (input >= 1000) throw new Violation({ expected: 'less', actual: `${input}` })
    throw lenient
  })
  expect(error).toBeInstanceOf(Violation)
})

test('a smaller input that cannot be tested does not hide the violation', async () => {
  const error = await thrownBy(async (input) => {
    if (input >= 1000) throw new Violation({ expected: 'less', actual: `${input}` })
    throw new Untestable('more than a thousand')
  }, 1)
  expect(error).toBeInstanceOf(Violation)
})

test('reports a target that goes down during shrinking as unreachable', async () => {
  const gone = new NoResponse({ method: 'GET', path: '/', headers: [], body: undefined }, 'ECONNREFUSED')
  let tries = 0
  const thrown = await thrownBy(async (input) => {
    tries += 1
    if (tries > 1) throw gone
    throw new Violation({ expected: 'less', actual: `${input}` })
  })
  expect([thrown, tries]).toEqual([gone, 2])
})

test.each(['ECONNRESET', 'TIMEOUT'])(
  'reports an input that brings the target down (%s) immediately',
  async (code) => {
    let tries = 0
    const error = await thrownBy(async (input) => {
      tries += 1
      if (input > 41) throw new NoResponse({ method: 'GET', path: '/', headers: [], body: undefined }, code)
    })
    const { breach } = error as Violation
    expect(breach.expected).toBe('a response (generated)')
    const [, input] = /^GET \/: no response \(\w+\) to (\d+)$/.exec(breach.actual) ?? []
    expect(Number(input)).toBeGreaterThan(41)
    expect(tries).toBeLessThan(20)
  },
)

test.each([
  [
    'the target is unreachable',
    new NoResponse({ method: 'GET', path: '/', headers: [], body: undefined }, 'ECONNREFUSED'),
  ],
  ['a prerequisite is missing', new Untestable('a project')],
  ['the kit fails', new TypeError('of the kit')],
])('stops when %s', async (_, error) => {
  let tries = 0
  const thrown = await thrownBy(async () => {
    tries += 1
    if (tries === 3) throw error
  })
  expect(thrown).toBe(error)
  expect(tries).toBe(3)
})

test('limits the number of smaller inputs for a slow target', async () => {
  let tries = 0
  const list = generate.array(numbers, { minLength: 300, maxLength: 400, size: 'max' })
  const thrown = checkInputs(trialOf(1), generate, list, async () => {
    tries += 1
    throw new Violation({ expected: 'none', actual: 'one' })
  })
  await expect(thrown).rejects.toThrow(Violation)
  expect(tries).toBeGreaterThan(10)
  expect(tries).toBeLessThan(70)
})
