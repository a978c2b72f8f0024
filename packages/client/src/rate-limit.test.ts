import { expect, test } from 'vitest'
import { path, setup, response as stubResponse } from '../test/setup.ts'
import { parseRateLimit } from './rate-limit.ts'

test('reads the three older headers', () => {
  const headers = new Headers({
    'ratelimit-limit': '10',
    'ratelimit-remaining': '0',
    'ratelimit-reset': '30',
  })
  expect(parseRateLimit(headers)).toEqual({ limit: 10, remaining: 0, resetMs: 30_000 })
})

test('reads the headers of the draft', () => {
  const headers = new Headers({
    ratelimit: '"minute";r=9;t=30, "day";r=1',
    'ratelimit-policy': '"minute";q=10;w=60',
  })
  expect(parseRateLimit(headers)).toEqual({ limit: 10, remaining: 9, resetMs: 30_000 })
})

test('reads only the first of several policies', () => {
  expect(parseRateLimit(new Headers({ ratelimit: '"minute";r=9, "day";r=1;t=30' }))).toEqual({ remaining: 9 })
})

test('returns undefined for missing or invalid headers', () => {
  expect(parseRateLimit(new Headers())).toBeUndefined()
  expect(parseRateLimit(new Headers({ 'ratelimit-limit': 'many' }))).toBeUndefined()
})

test('reads the headers of a response from withResponse', async () => {
  const { client } = setup(() => stubResponse({}, { 'ratelimit-remaining': '3' }))
  const { response } = await client.getAlert(path).withResponse()
  expect(parseRateLimit(response.headers)).toEqual({ remaining: 3 })
})
