import { expect, test } from 'vitest'
import { onlyReads } from './only-reads.ts'

const sent: string[] = []
const transport = onlyReads(
  {
    baseUrl: 'http://x',
    prefix: '',
    close: () => {},
    async send(request) {
      sent.push(`${request.method} ${request.path}`)
      const response = { status: 200, reason: '', headers: [], body: '' }
      return { url: request.path, request, response, milliseconds: 1 }
    },
  },
  '/token',
)

test('sends only safe requests and requests for tokens', async () => {
  const methods = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'POST', 'PUT', 'PATCH', 'DELETE', 'get', 'MERGE']
  const blocked: string[] = []
  for (const method of methods)
    try {
      await transport.send({ method, path: '/thing', headers: [] })
    } catch (error) {
      expect(String(error)).toContain('the run is read-only')
      blocked.push(method)
    }
  expect(blocked).toEqual(methods.slice(4))
  expect(sent).toEqual(['GET /thing', 'HEAD /thing', 'OPTIONS /thing', 'TRACE /thing'])
  await transport.send({ method: 'POST', path: '/token?x=1', headers: [] })
  expect(() => transport.send({ method: 'POST', path: '/token/x', headers: [] })).toThrow('read-only')
})
