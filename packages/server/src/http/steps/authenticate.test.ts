import { Agent, request } from 'node:http'
import { loadDemo } from '@svc-admin/spec'
import { expect, it, onTestFinished } from 'vitest'
import { newest, projectId, startChecked } from '../../../test/checked-server.ts'

const account = loadDemo().serviceAccounts?.find(({ label }) => label === 'Project owner')

async function tokenOf(url: string): Promise<string> {
  const basic = Buffer.from(`${account?.clientId}:${account?.clientSecret}`).toString('base64')
  const response = await fetch(`${url}/api/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  })
  const { access_token: token }: { access_token: string } = JSON.parse(await response.text())
  return token
}

it('each request uses its own token, regardless of earlier requests on the connection', async () => {
  const { url } = await startChecked()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const ports = new Set<number | undefined>()
  const statusWith = (token: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { accept: newest, authorization: `Bearer ${token}` }
      const sent = request(`${url}/api/svc/v2/groups/${projectId}/alerts`, { agent, headers }, (response) => {
        ports.add(response.socket.localPort)
        response.resume().on('end', () => resolve(response.statusCode))
      })
      sent.on('error', reject).end()
    })
  const token = await tokenOf(url)
  const statuses: (number | undefined)[] = []
  for (const one of [token, token, `${token.slice(0, -1)}?`, 'nobodys', token, 'not a token', token])
    statuses.push(await statusWith(one))
  expect(statuses).toEqual([200, 200, 401, 401, 200, 401, 200])
  expect(ports.size).toBe(1)
})
