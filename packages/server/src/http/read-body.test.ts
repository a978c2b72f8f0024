import { once } from 'node:events'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { ClientGone, readBody } from './read-body.ts'

const posted = () => Object.assign(new IncomingMessage(new Socket()), { headers: { 'content-length': '4' } })

it('reads what has come before anybody asked', async () => {
  const raw = posted()
  raw.push('{}')
  raw.push('  ')
  raw.push(null)
  expect(String(await readBody(raw, 4))).toBe('{}  ')
})

it('waits for nobody who went away before', async () => {
  const raw = posted()
  raw.push('{}')
  raw.destroy()
  await once(raw, 'close')
  await expect(readBody(raw, 4)).rejects.toThrow(ClientGone)
})

it('waits for nobody who goes away meanwhile', async () => {
  const raw = posted()
  const reading = readBody(raw, 4)
  raw.push('{}')
  raw.destroy()
  await expect(reading).rejects.toThrow(ClientGone)
})
