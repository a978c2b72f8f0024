import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import type { RawRequest } from './exchange.ts'
import { createTransport, NoResponse } from './transport.ts'

const open: { close(): unknown }[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

const listening = async (server: Server): Promise<string> => {
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

const serve = (answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> =>
  listening(createServer(answer))

const transportTo = (baseUrl: string, timeoutMs = 5000) => {
  const transport = createTransport({ baseUrl, timeoutMs })
  open.push(transport)
  return transport
}

test('sends a path unchanged, below the path of the base address', async () => {
  const baseUrl = await serve((request, response) => response.end(request.url))
  const { response, url } = await transportTo(`${baseUrl}/base/`).send({
    method: 'GET',
    path: '/a/%zz/..?x=1',
    headers: [],
  })
  expect(response.body).toBe('/base/a/%zz/..?x=1')
  expect(url).toBe(`${baseUrl}/base/a/%zz/..?x=1`)
})

test('sends all header lines and adds only connection headers', async () => {
  const baseUrl = await serve((request, response) => response.end(JSON.stringify(request.rawHeaders)))
  const headers = [
    ['X-A', '1'],
    ['x-a', '2'],
  ] as const
  const { response } = await transportTo(baseUrl).send({ method: 'POST', path: '/', headers, body: 'hé' })
  const raw: string[] = JSON.parse(response.body)
  const names = raw.filter((_, index) => index % 2 === 0)
  expect(names).toEqual(['X-A', 'X-A', 'Content-Length', 'Host', 'Connection'])
  expect(raw[raw.indexOf('Content-Length') + 1]).toBe('3')
})

test('returns a response unchanged', async () => {
  const baseUrl = await serve((_, response) => {
    response.writeHead(418, 'Teapot', { 'X-B': ['1', '2'] })
    response.write('short ')
    response.end('and stout')
  })
  const { response } = await transportTo(baseUrl).send({ method: 'GET', path: '/', headers: [] })
  expect(response).toMatchObject({ status: 418, reason: 'Teapot', body: 'short and stout' })
  expect(response.headers.filter(([name]) => name === 'X-B')).toEqual([
    ['X-B', '1'],
    ['X-B', '2'],
  ])
})

test('decodes a body, and throws if it is not in its coding', async () => {
  const baseUrl = await serve((request, response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip' })
    const bytes = gzipSync('x'.repeat(2000))
    response.end(request.url === '/broken' ? bytes.subarray(0, 15) : bytes)
  })
  const get = (path: string, options = {}) => {
    const transport = createTransport({ baseUrl, ...options })
    open.push(transport)
    return transport.send({ method: 'GET', path, headers: [] })
  }
  const { response } = await get('/')
  expect(response.body).toBe('x'.repeat(2000))
  expect(response.headers).toContainEqual(['Content-Encoding', 'gzip'])
  await expect(get('/broken')).rejects.toMatchObject({ name: 'NoResponse', code: 'CODING' })
  await expect(get('/', { maxBytes: 1999 })).rejects.toMatchObject({ name: 'NoResponse', code: 'TOO_LONG' })
})

test('reports that no server is listening', async () => {
  const baseUrl = await serve(() => {})
  for (const one of open.splice(0)) one.close()
  await expect(transportTo(baseUrl).send({ method: 'GET', path: '/', headers: [] })).rejects.toMatchObject({
    name: 'NoResponse',
    code: 'ECONNREFUSED',
  })
})

test('reports that the server hung up', async () => {
  const baseUrl = await listening(createTcpServer((socket) => socket.once('data', () => socket.destroy())))
  await expect(transportTo(baseUrl).send({ method: 'GET', path: '/', headers: [] })).rejects.toBeInstanceOf(
    NoResponse,
  )
})

/** Runs a server that handles the second request on each connection with the given function. */
const onSecondRequest = async (second: (socket: Socket, request: string) => unknown) => {
  const baseUrl = await listening(
    createTcpServer((socket) => {
      let requests = 0
      socket.on('error', () => {})
      socket.on('data', (request) => {
        requests += 1
        if (requests > 1) return second(socket, request.toString())
        return socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      })
    }),
  )
  const transport = transportTo(baseUrl)
  await transport.send({ method: 'GET', path: '/', headers: [] })
  return transport
}

test('sends a request again if an idle connection was closed under it', async () => {
  let closed = 0
  const transport = await onSecondRequest((socket) => {
    closed += 1
    socket.destroy()
  })
  const { response } = await transport.send({ method: 'GET', path: '/', headers: [] })
  expect([response.body, closed]).toEqual(['ok', 1])
})

test('can send a different request the second time', async () => {
  const seen: string[] = []
  const transport = await onSecondRequest((socket, request) => {
    seen.push(request.split(' ')[1] ?? '')
    socket.destroy()
  })
  const another = (): RawRequest => ({ method: 'GET', path: '/second', headers: [] })
  const { request } = await transport.send({ method: 'GET', path: '/first', headers: [] }, another)
  expect([seen, request.path]).toEqual([['/first'], '/second'])
})

test('reports no response, not an unreachable target, if the server goes down during a request', async () => {
  const transport = await onSecondRequest((socket) => {
    open[0]?.close()
    socket.destroy()
  })
  await expect(transport.send({ method: 'GET', path: '/last', headers: [] })).rejects.toMatchObject({
    code: 'ECONNRESET',
    isUnreachable: false,
    message: 'GET /last: no response (ECONNRESET, and then the server was unreachable: ECONNREFUSED)',
  })
  await expect(transport.send({ method: 'GET', path: '/later', headers: [] })).rejects.toMatchObject({
    isUnreachable: true,
  })
})

test.each([
  ['its head', 'HTTP/1.1 201 Crea'],
  ['its body', 'HTTP/1.1 201 Created\r\nContent-Length: 40\r\n\r\n{"id":"64b7e1c2'],
])('does not repeat a request if the response broke off in %s', async (_, partial) => {
  const second: string[] = []
  const transport = await onSecondRequest((socket, request) => {
    second.push(request.slice(0, 4))
    socket.write(partial, () => setTimeout(() => socket.resetAndDestroy(), 20))
  })
  await expect(transport.send({ method: 'POST', path: '/', headers: [], body: '{}' })).rejects.toMatchObject({
    name: 'NoResponse',
    code: 'ECONNRESET',
    message: `POST /: no response (ECONNRESET: the connection closed after ${partial.length} bytes)`,
  })
  expect(second).toEqual(['POST'])
})

test('reads a response that arrives before the whole request was sent', async () => {
  const baseUrl = await serve((_, response) =>
    response.writeHead(413, { Connection: 'close' }).end('too large'),
  )
  const body = 'x'.repeat(2 * 1024 * 1024)
  const { response } = await transportTo(baseUrl).send({ method: 'POST', path: '/', headers: [], body })
  expect(response.status).toBe(413)
})

test('gives up on an endless response, regardless of its length', async () => {
  const baseUrl = await serve(({ url }, response) => {
    response.writeHead(200)
    const piece = url === '/much' ? 'x'.repeat(1000) : ' '
    const timer = setInterval(() => response.write(piece), 10)
    response.once('close', () => clearInterval(timer))
  })
  const transport = createTransport({ baseUrl, timeoutMs: 300, maxBytes: 5000 })
  open.push(transport)
  const send = (path: string) => transport.send({ method: 'GET', path, headers: [] })
  await expect(send('/')).rejects.toMatchObject({
    name: 'NoResponse',
    code: 'TIMEOUT',
    message: 'GET /: no response (TIMEOUT: the response was not complete after 0.3 s)',
  })
  await expect(send('/much')).rejects.toMatchObject({ name: 'NoResponse', code: 'TOO_LONG' })
})

test('returns a response that switches protocols', async () => {
  const head = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'
  const target = createTcpServer((socket) =>
    socket.on('data', () => socket.write(head)).on('error', () => {}),
  )
  const { response } = await transportTo(await listening(target)).send({
    method: 'GET',
    path: '/',
    headers: [],
  })
  expect(response).toMatchObject({ status: 101, reason: 'Switching Protocols', body: '' })
  expect(response.headers).toContainEqual(['Upgrade', 'other'])
})
