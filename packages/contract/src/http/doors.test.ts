import { expect, test } from 'vitest'
import { createDoors } from './doors.ts'
import type { Exchange, RawRequest } from './exchange.ts'

const door = (name: string): RawRequest => {
  const [method = '', path = '', accept = ''] = name.split(' ')
  return { method, path, headers: [['Accept', accept]] }
}

/** Doors, each with the status that it is answered with, and who knocked where. */
const house = (
  statuses: Readonly<Record<string, number>>,
  headersOf: (name: string) => Exchange['response']['headers'] = () => [],
) => {
  const knocked: string[] = []
  const [first = 'GET /none', ...others] = Object.keys(statuses)
  const doors = createDoors([door(first), ...others.map(door)])
  const send = async (request: RawRequest): Promise<Exchange> => {
    const name = [request.method, request.path, request.headers[0]?.[1]].filter(Boolean).join(' ')
    knocked.push(name)
    const status = statuses[name] ?? 0
    const response = { status, reason: '', headers: headersOf(name), body: '' }
    return { url: '', request, response, milliseconds: 0 }
  }
  const knock = async (): Promise<string> => {
    const { request, response } = await doors.knock(send)
    return `${request.method} ${request.path} ${response.status}`
  }
  return { doors, knock, knocked }
}

test('one that is there is the only one', async () => {
  for (const status of [401, 200, 500]) {
    const { knock, knocked } = house({ 'GET /a': status, 'GET /b': 401 })
    expect(await knock()).toBe(`GET /a ${status}`)
    expect(knocked).toEqual(['GET /a'])
  }
})

test('where what is asked for is not there, the next that asks for credentials is taken, and stays', async () => {
  for (const status of [404, 405, 406, 410, 501]) {
    const { doors, knock, knocked } = house({
      'GET /a': status,
      'GET /b': 200,
      'POST /c': 401,
      'GET /d': 401,
    })
    expect(await knock()).toBe('POST /c 401')
    expect(await knock()).toBe('POST /c 401')
    expect(knocked).toEqual(['GET /a', 'GET /b', 'POST /c', 'POST /c'])
    expect(doors.current().path).toBe('/c')
  }
})

test('another method, or another version, at the same path is another one', async () => {
  const { knock } = house({ 'GET /a': 405, 'POST /a': 401 })
  expect(await Promise.all([knock(), knock()])).toEqual(['POST /a 401', 'POST /a 401'])
  const versions = house({ 'GET /a new': 406, 'GET /a old': 401 })
  expect(await Promise.all([versions.knock(), versions.knock()])).toEqual(['GET /a 401', 'GET /a 401'])
})

test('whoever knocks at the same time has a challenge of his own, and they are sought once', async () => {
  const { knock, knocked } = house({ 'GET /a': 404, 'GET /b': 404, 'GET /c': 401 })
  await Promise.all([knock(), knock()])
  expect(knocked.filter((name) => name === 'GET /b')).toHaveLength(1)
  expect(knocked.filter((name) => name === 'GET /c')).toHaveLength(2)
})

test('where none is there, it is the first, and they are not sought again', async () => {
  const { knock, knocked } = house({ 'GET /a': 404, 'GET /b': 404 })
  expect([await knock(), await knock()]).toEqual(['GET /a 404', 'GET /a 404'])
  expect(knocked).toEqual(['GET /a', 'GET /b', 'GET /a'])
})

test('one that asks for credentials is there, whatever its status', async () => {
  const { knock, knocked } = house({ 'GET /a': 404, 'GET /b': 401 }, (name) =>
    name === 'GET /a' ? [['WWW-Authenticate', 'Digest']] : [],
  )
  expect(await knock()).toBe('GET /a 404')
  expect(knocked).toEqual(['GET /a'])
})

test('a search that found nobody is begun again', async () => {
  let failures = 1
  const { knock } = house({ 'GET /a': 404, 'GET /b': 401 }, (name) => {
    if (name === 'GET /b' && failures > 0) {
      failures -= 1
      throw new Error('nobody there')
    }
    return []
  })
  await expect(knock()).rejects.toThrow('nobody there')
  expect(await knock()).toBe('GET /b 401')
})
