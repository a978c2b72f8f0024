import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { webhookHeaders } from './signature.ts'

const body = '{"type":"alert.open"}'
const parts = () => ({ id: 'msg_1', timestamp: Math.floor(Date.now() / 1000), body })

describe('the headers of a webhook', () => {
  it.each([
    ['a Standard Webhooks secret', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', {}],
    ['any other text as a secret', 'tell-nobody', { format: 'raw' as const }],
  ])('are verified by the published library with %s', (_, secret, options) => {
    const receiver = new Webhook(secret, options)
    expect(receiver.verify(body, webhookHeaders(parts(), secret))).toEqual({ type: 'alert.open' })
    expect(() => receiver.verify(`${body} `, webhookHeaders(parts(), secret))).toThrow()
    expect(() => receiver.verify(body, webhookHeaders(parts(), 'another'))).toThrow()
  })

  it('match the example in the standard', () => {
    const secret = 'whsec_plJ3nmyCDGBKInavdOK15jsl'
    const example = { id: 'msg_loFOjxBNrRLzqYUf', timestamp: 1731705121, body: '{"event_type":"ping"}' }
    expect(webhookHeaders(example, secret)).toMatchObject({ 'webhook-timestamp': '1731705121' })
    expect(webhookHeaders(example, secret)['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/)
  })

  it('have no signature without a secret', () => {
    expect(Object.keys(webhookHeaders(parts(), undefined))).toEqual(['webhook-id', 'webhook-timestamp'])
    expect(Object.keys(webhookHeaders(parts(), ''))).toEqual(['webhook-id', 'webhook-timestamp'])
  })
})
