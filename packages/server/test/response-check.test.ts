import { describe, expect, it } from 'vitest'
import type { SentResponse } from '../src/index.ts'
import { violationsOf } from './response-check.ts'

const good: SentResponse = {
  method: 'GET',
  target: '/api/svc/v2/alertConfigs/matchers/fieldNames',
  status: 200,
  headers: { 'content-type': 'application/vnd.svc.2023-01-01+json', 'x-request-id': '1' },
  body: '["APPLICATION_ID"]',
}

describe('the response check', () => {
  it('finds no violation in a valid response, with or without an envelope', () => {
    expect(violationsOf(good)).toEqual([])
    const wrapped = { target: `${good.target}?envelope=true`, body: '{"status":200,"results":["A"]}' }
    expect(violationsOf({ ...good, ...wrapped })).toEqual([])
  })

  it.each<[string, Partial<SentResponse>]>([
    ['a body of another shape', { body: '[1]' }],
    ['another media type', { headers: { ...good.headers, 'content-type': 'application/json' } }],
    ['no request id', { headers: { 'content-type': 'application/vnd.svc.2023-01-01+json' } }],
    ['a status that is not declared', { status: 418 }],
    ['a server failure', { status: 500 }],
    ['an error of another shape', { status: 400, body: '{"error":400}' }],
    ['a wrapped body of another shape', { target: `${good.target}?envelope=true`, body: '{"status":200}' }],
  ])('finds %s', (_, change) => {
    expect(violationsOf({ ...good, ...change })).not.toEqual([])
  })
})
