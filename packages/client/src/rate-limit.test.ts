import { expect, test } from 'vitest'
import { response as answer, path, setup } from '../test/setup.ts'
import { parseRateLimit } from './rate-limit.ts'

test('the three older headers are read', () => {
  const headers = new Headers({
    'ratelimit-limit': '10',
    'ratelimit-remaining': '0',
    'ratelimit-reset': '30',
  })
  expect(parseRateLimit(headers)).toEqual({ limit: 10, remaining: 0, resetMs: 30_000 })
})

test('the headers of the draft are read', () => {
  const headers = new Headers({
    ratelimit: '"minute";r=9;t=30, "day";r=1',
    'ratelimit-policy': '"minute";q=10;w=60',
  })
  expect(parseRateLimit(headers)).toEqual({ limit: 10, remaining: 9, resetMs: 30_000 })
})

test('of several policies only the first is read, also for what it does not say', () => {
  expect(parseRateLimit(new Headers({ ratelimit: '"minute";r=9, "day";r=1;t=30' }))).toEqual({ remaining: 9 })
})

test('no headers, or nonsense in them, is no statement', () => {
  expect(parseRateLimit(new Headers())).toBeUndefined()
  expect(parseRateLimit(new Headers({ 'ratelimit-limit': 'many' }))).toBeUndefined()
})

test('the response of every call has its headers', async () => {
  const { client } = setup(() => answer({}, { 'ratelimit-remaining': '3' }))
  const { response } = await client.getAlert(path).withResponse()
  expect(parseRateLimit(response.headers)).toEqual({ remaining: 3 })
})
