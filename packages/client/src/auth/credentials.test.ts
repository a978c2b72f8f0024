import { describe, expect, test } from 'vitest'
import { key } from '../../test/digest-server.ts'
import { rejection, setup } from '../../test/setup.ts'
import type { Credentials } from './credentials.ts'

describe('the token endpoint', () => {
  const body = { grant_type: 'client_credentials' } as const
  const token = { access_token: 'a', token_type: 'Bearer', expires_in: 3600 }

  test.each<[string, Credentials]>([
    ['a key', key],
    ['a token', { accessToken: 'a' }],
    ['a function that returns a key', async () => key],
  ])('requires a service account and sends nothing with %s', async (_, credentials) => {
    const { client, requests } = setup(() => Response.json(token), { credentials })
    const error = await rejection(client.issueToken({ body }))
    expect(error).toEqual(new TypeError('credentials: expected clientId and clientSecret'))
    expect(requests).toHaveLength(0)
  })

  test('receives the ID and secret of a service account', async () => {
    const credentials = { clientId: 'id', clientSecret: 'sécret' }
    const { client, requests } = setup(() => Response.json(token), { credentials })
    expect(await client.issueToken({ body })).toEqual(token)
    const expected = `Basic ${Buffer.from('id:sécret').toString('base64')}`
    expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual([expected])
  })
})
