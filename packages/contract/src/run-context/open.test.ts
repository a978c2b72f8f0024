import { createServer } from 'node:http'
import { type AddressInfo, createServer as createNetServer, type Server } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { createTransport, NoResponse, type Transport } from '../http/transport.ts'
import { expectResponse } from './open.ts'

const request = { method: 'GET', path: '/', headers: [] } as const

const open: { close(): unknown }[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

/** Returns the error message if a target doesn't respond to the first request. */
const toldOf = async (transport: Transport): Promise<string> => {
  const error: unknown = await expectResponse(transport, request).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ name: 'Unreachable' })
  return error instanceof Error ? error.message : ''
}

const failing = (code: string): Transport => ({
  baseUrl: 'https://x.example',
  prefix: '',
  send: async () => {
    throw new NoResponse(request, code)
  },
  close: () => {},
})

test.each([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])('for a certificate error %s, explains how to trust the certificate', async (code) => {
  const told = await toldOf(failing(code))
  expect(told).toContain(`the certificate of https://x.example isn't trusted (${code})`)
  expect(told).toContain('NODE_EXTRA_CA_CERTS')
})

const listening = async (server: Server): Promise<string> => {
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return `127.0.0.1:${port}`
}

const toldAt = (baseUrl: string, timeoutMs = 5000): Promise<string> => {
  const transport = createTransport({ baseUrl, timeoutMs })
  open.push(transport)
  return toldOf(transport)
}

test('reports HTTP to a TLS port and TLS to an HTTP port', async () => {
  const plain = await listening(createServer((_, response) => response.end()))
  expect(await toldAt(`https://${plain}`)).toContain("if the server doesn't use TLS, use http://")
  const overTls = await listening(createTlsServer({}))
  expect(await toldAt(`http://${overTls}`)).toContain('if the server uses TLS, use https://')
})

test.each([
  [
    'more bytes than it says',
    'Content-Length: 1\r\nConnection: close\r\n\r\nabc',
    'longer than its Content-Length',
  ],
  ['fewer bytes than it says', 'Content-Length: 9\r\n\r\nabc', 'the connection closed after'],
  [
    'another coding than it says',
    'Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc',
    'Content-Encoding',
  ],
])('for a response with %s, suggests neither the address nor TLS', async (_, rest, why) => {
  const plain = createNetServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\n${rest}`)
      setTimeout(() => socket.destroy(), 20)
    })
  })
  const told = await toldAt(`http://${await listening(plain)}`)
  expect(told).toContain(why)
  expect(told).toMatch(/the server sent HTTP headers, but not a valid body$/)
})

test('for any other target without a response, suggests checking its address and timeout', async () => {
  const silent = await listening(createServer(() => {}))
  expect(await toldAt(`http://${silent}`, 50)).toContain('check the address, or set a longer --timeout')
  expect(await toldAt('http://127.0.0.1:9')).toContain('make sure that the server is running')
})
