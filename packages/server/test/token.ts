import { readResponse, type TestResponse } from './test-response.ts'

export interface ServiceAccount {
  readonly clientId: string
  readonly clientSecret: string
}

/** The demo's service account with the Organization Owner role. */
export const ownerAccount: ServiceAccount = {
  clientId: 'svc_sa_orgowner',
  clientSecret: 'svc_ss_demo01Qm3nJ7cT5pXh2dR8vKw01',
}

/** Requests a token. `url` is the address of a server or a world. */
export async function requestToken(
  url: string,
  { clientId, clientSecret }: ServiceAccount = ownerAccount,
): Promise<TestResponse> {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const response = await fetch(`${url}/api/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  return readResponse(response)
}

/** Requests a new token and returns an `Authorization` header with the token. */
export const bearerOf = async (url: string, account?: ServiceAccount): Promise<string> =>
  `Bearer ${(await requestToken(url, account)).textAt('access_token')}`
