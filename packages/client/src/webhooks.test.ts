import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { rejection } from '../test/setup.ts'
import { signWebhook } from './testing/index.ts'
import { verifyWebhook } from './webhooks.ts'

const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const sent = { type: 'alert.open', timestamp: '2025-11-18T09:24:51Z', data: { id: 'a', name: 'é' } }
const body = JSON.stringify(sent)

/** Headers from a message that the Standard Webhooks library signed. */
function signed(text = body, age = 0): Record<string, string> {
  const at = new Date(Date.now() - age * 1000)
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, text),
  }
}

describe('verifyWebhook', () => {
  test.each([
    ['text and an object', body, signed()],
    ['bytes', new TextEncoder().encode(body), signed()],
    ['a buffer of a pool', Buffer.from(body), signed()],
    ['Headers', body, new Headers(signed())],
    ['a message of nearly five minutes ago', body, signed(body, 295)],
    [
      'several signatures',
      body,
      { ...signed(), 'webhook-signature': `v1a,x v1,AAAA v1,?? ${signed()['webhook-signature']}` },
    ],
  ])('accepts %s', async (_, content, headers) => {
    expect(await verifyWebhook(content, headers, { secret })).toEqual(sent)
  })

  test.each([
    ['another body', `${body} `, signed(), 'signature'],
    ['another ID', body, { ...signed(), 'webhook-id': 'msg_2' }, 'signature'],
    [
      'another version of signatures',
      body,
      { ...signed(), 'webhook-signature': signed()['webhook-signature']?.replace('v1', 'v2') },
      'signature',
    ],
    ['no signature', body, { ...signed(), 'webhook-signature': undefined }, 'headers'],
    ['no headers', body, new Headers(), 'headers'],
    ['an old message', body, signed(body, 310), 'timestamp'],
    ['a message from the future', body, signed(body, -310), 'timestamp'],
    ['a timestamp that is no number', body, { ...signed(), 'webhook-timestamp': '0x10' }, 'timestamp'],
    ['a signed body that is no JSON', 'hello', signed('hello'), 'body'],
    ['a signed body of another type', '[]', signed('[]'), 'body'],
  ])('rejects %s', async (_, content, headers, reason) => {
    expect(await rejection(verifyWebhook(content, headers, { secret }))).toMatchObject({
      name: 'WebhookError',
      reason,
    })
  })

  test('rejects another secret, and accepts either of two', async () => {
    const other = 'whsec_plJ3nmyCDGBKInavdOK15jsl'
    expect(await rejection(verifyWebhook(body, signed(), { secret: other }))).toMatchObject({
      reason: 'signature',
    })
    expect(await verifyWebhook(body, signed(), { secret: [other, secret] })).toEqual(sent)
  })

  test('uses a secret that is not base64 as it is', async () => {
    const headers = await signWebhook(body, 'tell-nobody')
    expect(new Webhook('tell-nobody', { format: 'raw' }).verify(body, headers)).toEqual(sent)
    expect(await verifyWebhook(body, headers, { secret: 'tell-nobody' })).toEqual(sent)
  })

  test('explains a missing secret, a parsed body, and other arguments of the wrong type', async () => {
    for (const missing of ['', [], ['']]) {
      expect(await rejection(verifyWebhook(body, signed(), { secret: missing }))).toMatchObject({
        message: "secret is empty: expected the notification's webhookSecret",
      })
    }
    // @ts-expect-error a body that a framework parsed
    const work = verifyWebhook(sent, signed(), { secret })
    expect(await rejection(work)).toMatchObject({
      message: 'body is object: expected the raw body as text or bytes, before it is parsed',
    })
    const verify = (...rest: unknown[]) => rejection(Reflect.apply(verifyWebhook, undefined, [body, ...rest]))
    const secretMissing = new TypeError("secret is empty: expected the notification's webhookSecret")
    expect(await verify(signed())).toEqual(secretMissing)
    const noHeaders = new TypeError("headers is undefined: expected the request's headers")
    expect(await verify(undefined, { secret })).toEqual(noHeaders)
    const noNumber = new TypeError('toleranceSeconds is the string 5: expected a number >= 0')
    expect(await verify(signed(), { secret, toleranceSeconds: '5' })).toEqual(noNumber)
  })

  test('accepts the headers of another implementation', async () => {
    const headers = new Map(Object.entries(await signWebhook(body, secret)))
    expect(await verifyWebhook(body, headers as unknown as Headers, { secret })).toEqual(sent)
  })
})

test('signWebhook signs as the library of the standard does', async () => {
  const headers = await signWebhook(body, secret)
  expect(new Webhook(secret).verify(body, headers)).toEqual(sent)
  const at = Date.UTC(2025, 10, 18)
  const old = await signWebhook(body, secret, { id: 'msg_1', at })
  expect(old['webhook-signature']).toBe(new Webhook(secret).sign('msg_1', new Date(at), body))
  expect(await verifyWebhook(body, old, { secret, clock: { now: () => at } })).toEqual(sent)
})
