import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openOwnWorld } from './own-world.ts'

let asked: string[] = []
let answer: [number, string] = [200, '{"id":"w1","url":"http://elsewhere/worlds/w1"}']
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    asked.push(`${request.method} ${request.url} ${body}`.trim())
    response.writeHead(answer[0]).end(answer[1])
  })
})
let control = ''
beforeEach(async () => {
  asked = []
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  control = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterEach(() => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
})

const target = { baseUrl: 'http://sandbox.example:8080', things: { groupId: 'g' }, roles: {} }

test('a new world is a copy of the sandbox, at the address that the run uses', async () => {
  const { target: own, remove } = await openOwnWorld({ ...target, control })
  expect(own).toEqual({
    ...target,
    baseUrl: 'http://sandbox.example:8080/worlds/w1',
    control: `${control}worlds/w1`,
  })
  await remove()
  expect(asked).toEqual(['POST /worlds {"forkOf":"main"}', 'DELETE /worlds/w1'])
})

test.each([
  [404, '{"detail":"no worlds"}', "can't create a world at"],
  [200, '{}', "POST /worlds didn't return an ID"],
])('a control interface that returns %i with %s offers no worlds', async (status, body, expected) => {
  answer = [status, body]
  await expect(openOwnWorld({ ...target, control })).rejects.toThrow(expected)
})

test('requires a control interface', async () => {
  await expect(openOwnWorld(target)).rejects.toMatchObject({
    name: 'Misconfiguration',
    message: expect.stringContaining('pass the address of its control interface with --control'),
  })
})
