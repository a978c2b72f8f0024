import { once } from 'node:events'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { ClientGone, readBody } from './read-body.ts'

const posted = () => Object.assign(new IncomingMessage(new Socket()), { headers: { 'content-length': '4' } })

it('reads bytes that arrived before the call', async () => {
  const raw = posted()
  raw.push('{}')
  raw.push('  ')
  raw.push(null)
  expect(String(await readBody(raw, 4))).toBe('{}  ')
})

it('rejects if the client has disconnected', async () => {
  const raw = posted()
  raw.push('{}')
  raw.destroy()
  await once(raw, 'close')
  await expect(readBody(raw, 4)).rejects.toThrow(ClientGone)
})

it('rejects if the client disconnects meanwhile', async () => {
  const raw = posted()
  const reading = readBody(raw, 4)
  raw.push('{}')
  raw.destroy()
  await expect(reading).rejects.toThrow(ClientGone)
})
