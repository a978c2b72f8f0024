import { once } from 'node:events'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { portOf } from '../../test/free-port.ts'
import { Problem } from '../domain/problem.ts'
import { createNodeServer } from './node-server.ts'
import { ClientGone, readBody } from './read-body.ts'

const posted = () => Object.assign(new IncomingMessage(new Socket()), { headers: { 'content-length': '4' } })

it('reads bytes that arrived before the call', async () => {
  const raw = posted()
  raw.push('{}')
  raw.push('  ')
  raw.push(null)
  expect(String(await readBody(raw, 4))).toBe('{}  ')
})

it('returns a complete body immediately, unless it is too large', () => {
  for (const [sent, expected] of [
    ['{}', '{}'],
    ['', ''],
  ] as const) {
    const raw = Object.assign(posted(), { complete: true })
    raw.push(sent)
    raw.push(null)
    expect(String(readBody(raw, 4))).toBe(expected)
  }
  // A chunked body has no Content-Length header.
  const raw = Object.assign(posted(), { headers: { 'transfer-encoding': 'chunked' }, complete: true })
  raw.push('12345')
  raw.push(null)
  expect(() => readBody(raw, 4)).toThrow(Problem)
})

it('reads all bodies of a connection, however long', async () => {
  const server = createNodeServer({ requestTimeout: 5000, headersTimeout: 5000 }, (request, response) =>
    setImmediate(async () => response.end(String((await readBody(request, 1_000_000)).length))),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${portOf(server)}`
  for (const length of [1, 20_000, 50_000, 300_000, 5]) {
    const response = await fetch(url, { method: 'POST', body: 'x'.repeat(length) })
    expect(await response.text()).toBe(String(length))
  }
})

it('rejects if the client has disconnected', async () => {
  const raw = posted()
  raw.push('{}')
  raw.destroy()
  await once(raw, 'close')
  expect(() => readBody(raw, 4)).toThrow(ClientGone)
})

it('rejects if the client disconnects meanwhile', async () => {
  const raw = posted()
  const reading = readBody(raw, 4)
  raw.push('{}')
  raw.destroy()
  await expect(reading).rejects.toThrow(ClientGone)
})
