import { expect, it, vi } from 'vitest'
import { projectId, startChecked } from '../../test/checked-server.ts'
import { rawRequest } from '../../test/raw-request.ts'

const requestIdOf = (head: string) => /^x-request-id: (\S+)\r?$/im.exec(head)?.[1] ?? 'none'
const configs = `/groups/${projectId}/alertConfigs`

it.each([
  ['FROB / HTTP/1.1\r\nHost: x\r\n\r\n', 'The request method is unknown, or the request is not HTTP.'],
  ['GET / HTTP/1.1\r\nno colon\r\n\r\n', 'The request is not well-formed HTTP.'],
])('explains what is wrong with a malformed request: %#', async (bytes, detail) => {
  const server = await startChecked()
  const response = await rawRequest(server.url, bytes)
  expect(response.status).toBe(400)
  expect(JSON.parse(response.body)).toMatchObject({ error: 400, errorCode: 'VALIDATION_ERROR', detail })
})

it('returns a request id for malformed requests', async () => {
  const server = await startChecked()
  const bytes = ['no HTTP\r\n\r\n', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`]
  const responses = await Promise.all(bytes.map((each) => rawRequest(server.url, each)))
  expect(responses.map(({ status }) => status)).toEqual([400, 431])
  const ids = new Set(responses.map(({ head }) => requestIdOf(head)))
  expect([ids.size, ids.has('none')]).toEqual([2, false])
})

it('logs and counts malformed requests with the request id of the response', async () => {
  const lines: string[] = []
  const writeLog = (text: string) => void lines.push(text)
  const server = await startChecked({
    logLevel: 'info',
    writeLog,
    headersTimeout: 150,
    requestTimeout: 200,
  })
  const chunked = 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n'
  const sent = [
    [`POST /?token=hidden HTTP/1.1\r\nHost: x\r\n${chunked}\r\nhidden`, 400],
    ['GET / HTTP/1.1\r\nHost: x\r\nAuthorization: hidden', 408],
  ] as const
  for (const at of [server.url, server.controlUrl ?? '']) {
    for (const [bytes, status] of sent) {
      const { head } = await rawRequest(at, bytes)
      await vi.waitUntil(() => lines.join('').includes(requestIdOf(head)))
      const line = lines
        .join('')
        .split('\n')
        .find((one) => one.includes(requestIdOf(head)))
      expect(JSON.parse(line ?? '')).toMatchObject({ level: 'info', message: 'no request', status })
    }
  }
  expect(lines.join('')).not.toContain('hidden')
  const { text } = await server.control('GET', '/metrics')
  for (const status of [400, 408]) {
    const labels = `http_request_method="_OTHER",operation_id="none",http_response_status_code="${status}"`
    expect(text).toContain(`_count{${labels}} 1`)
  }
})

it('returns 501 for an unsupported transfer coding', async () => {
  const lines: string[] = []
  const server = await startChecked({ logLevel: 'info', writeLog: (text) => void lines.push(text) })
  const coded = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`
  const ids: string[] = []
  for (const [url, path] of [
    [server.url, `/api/svc/v2${configs}`],
    [server.controlUrl ?? '', '/reset'],
  ] as const) {
    const { status, head } = await rawRequest(url, coded(path))
    expect([path, status, /^connection: close$/im.test(head)]).toEqual([path, 501, true])
    ids.push(requestIdOf(head))
  }
  await server.stop()
  const told = lines.join('').split('\n')
  for (const id of ids) expect(told.filter((line) => line.includes(`"${id}"`))).toHaveLength(1)
})

it('disconnects clients that send headers or body too slowly', async () => {
  const server = await startChecked({ headersTimeout: 150, requestTimeout: 200 })
  const slow = [
    'GET / HTTP/1.1\r\nHost: x\r\n',
    'POST /api/oauth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx',
  ]
  const responses = await Promise.all(slow.map((bytes) => rawRequest(server.url, bytes)))
  expect(responses.map(({ status }) => status)).toEqual([408, expect.toBeOneOf([408, 401])])
  const ids = new Set(responses.map(({ head }) => requestIdOf(head)))
  expect([ids.size, ids.has('none')]).toEqual([2, false])
  expect((await server.ask(configs)).status).toBe(200)
})
