import { Agent, request } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { newest, projectId, startChecked } from '../../../test/checked-server.ts'
import { requestToken } from '../../../test/token.ts'

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
  const token = (await requestToken(url)).textAt('access_token')
  const statuses: (number | undefined)[] = []
  for (const one of [token, token, `${token.slice(0, -1)}?`, 'nobodys', token, 'not a token', token])
    statuses.push(await statusWith(one))
  expect(statuses).toEqual([200, 200, 401, 401, 200, 401, 200])
  expect(ports.size).toBe(1)
})
