import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CheckedServer, projectId, startUntilStopped } from './checked-server.ts'
import { hostileRequests } from './hostile-requests.ts'
import { rawRequest } from './raw-request.ts'
import { requestToken } from './token.ts'

let server: CheckedServer
let token = ''
const lines: string[] = []

beforeAll(async () => {
  server = await startUntilStopped({ logLevel: 'error', writeLog: (text) => lines.push(text) })
  token = (await requestToken(server.url)).textAt('access_token')
})
afterAll(() => server.stop())

/**
 * The requests with a placeholder instead of a token. The names of the tests are needed before the server starts, so
 * the token is only inserted when a request is sent.
 */
const table = hostileRequests({ token: '@@token@@', projectId })

describe('hostile input', () => {
  it('consists of at least 150 requests', () => {
    expect(new Set(table.map((request) => request.name)).size).toBeGreaterThanOrEqual(150)
  })

  it.each(table.map((request) => [request.name, request] as const))('%s', async (_, request) => {
    const bytes = Buffer.from(request.bytes.toString('latin1').replace('@@token@@', token), 'latin1')
    const answer = await rawRequest(server.url, bytes)
    expect({ status: answer.status, body: answer.body.slice(0, 300) }).toEqual({
      status: expect.toBeOneOf([...request.expected]),
      body: expect.not.stringMatching(/ at .*\.ts|node_modules|SQLITE/),
    })
    if (answer.status >= 400 && ![408, 417, 431].includes(answer.status)) {
      expect(JSON.parse(answer.body)).toMatchObject({ error: answer.status, errorCode: expect.any(String) })
    }
  })

  it('leaves the server running, with no errors logged and nothing written', async () => {
    expect((await server.ask(`/groups/${projectId}/alertConfigs`)).at('totalCount')).toBe(2)
    await server.stop()
    expect(lines).toEqual([])
  })
})
