import { EventEmitter, once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { portOf } from '../../test/free-port.ts'
import { createNodeServer } from './node-server.ts'

const timeouts = { requestTimeout: 5000, headersTimeout: 5000 }
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

async function serve(listener: RequestListener, overloaded?: RequestListener): Promise<Server> {
  const server = createNodeServer(timeouts, listener, overloaded)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return server
}

function open(server: Server): Socket {
  const socket = connect(portOf(server), '127.0.0.1').setEncoding('latin1')
  onTestFinished(() => void socket.destroy())
  return socket
}

async function textUntil(socket: Socket, end: string): Promise<string> {
  let text = ''
  for await (const chunk of socket) {
    text += chunk
    if (text.includes(end)) break
  }
  return text
}

it('handles pipelined requests one after the other, in order', async () => {
  let handled = 0
  let highest = 0
  const server = await serve((request, response) => {
    handled += 1
    highest = Math.max(highest, handled)
    setImmediate(() => {
      handled -= 1
      response.end(`<${request.url}>`)
    })
  })
  const socket = open(server)
  const paths = Array.from({ length: 500 }, (_, index) => `/${index}`)
  socket.write(paths.map(get).join(''))
  const text = await textUntil(socket, '</499>')
  expect([...text.matchAll(/<(\/\d+)>/g)].map(([, path]) => path)).toEqual(paths)
  expect(highest).toBe(1)
})

it('starts no other request and stops reading while a response is outstanding', async () => {
  let started = 0
  const server = await serve(() => {
    started += 1
  })
  const connected = once(server, 'connection')
  const socket = open(server)
  const [end]: Socket[] = await connected
  socket.write(get('/').repeat(1000))
  await vi.waitFor(() => expect(started).toBeGreaterThan(0))
  expect([started, end?.isPaused()]).toEqual([1, true])
})

it('delivers bodies with empty lines, and the next request', async () => {
  const server = await serve(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    response.end(`<${request.url} ${body.length}>`)
  })
  const socket = open(server)
  const body = 'a\r\n\r\nb'.repeat(20_000)
  socket.write(
    `POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}${get('/next')}`,
  )
  const text = await textUntil(socket, '</next 0>')
  expect(text).toContain(`</body ${body.length}>`)
})

it('calls the overload listener while too many requests are in flight', async () => {
  let served = 0
  const full = new EventEmitter()
  const server = await serve(
    () => {
      served += 1
    },
    (_, response) => {
      response.writeHead(503).end()
      full.emit('response', served)
    },
  )
  for (let index = 0; index < 1025; index += 1) open(server).write(get('/'))
  expect(await once(full, 'response')).toEqual([1024])
})

it("doesn't let a client that pipelines hold up others", async () => {
  const total = 200
  const order: string[] = []
  const server = await serve((request, response) => {
    order.push(request.url ?? '')
    response.end()
  })
  const [busy, other] = [open(server), open(server)]
  await Promise.all([once(busy, 'connect'), once(other, 'connect')])
  server.once('request', () => other.write(get('/other')))
  busy.write(get('/busy').repeat(total))
  await textUntil(other, '\r\n\r\n')
  expect(order.indexOf('/other')).toBeLessThan(total / 2)
})

const post = (body: string) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const chunked = (body: string) =>
  `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${body.length}\r\n${body}\r\n0\r\nT: x\r\n\r\n`

it.each([
  ['bodies with a length', [post('x').repeat(1000)]],
  ['bodies that look like requests', [post(get('/')).repeat(1000)]],
  ['chunked bodies', [chunked('x').repeat(1000)]],
  ['heads split within the last line', [get('/').slice(0, -1), `\n${get('/').repeat(1000)}`]],
  ['heads split before the last line', [get('/').slice(0, -2), `\r\n${get('/').repeat(1000)}`]],
])('starts one request of a pipeline with %s', async (_, parts) => {
  let started = 0
  const server = await serve((request) => {
    request.resume()
    started += 1
  })
  const socket = open(server)
  for (const part of parts) {
    socket.write(part)
    await wait(20)
  }
  await vi.waitFor(() => expect(started).toBeGreaterThan(0))
  await wait(20)
  expect(started).toBe(1)
})

it('starts the requests of new clients while 200 others pipeline', async () => {
  let handled = 0
  const server = await serve((_, response) => {
    handled += 1
    response.end()
  })
  const busy = Array.from({ length: 200 }, () => open(server))
  for (const socket of busy) socket.resume().write(get('/').repeat(1000))
  const other = open(server)
  other.write(get('/other'))
  await textUntil(other, '\r\n\r\n')
  // Node accepts one connection per event loop turn.
  expect(handled).toBeLessThan(200 * 20)
})
