import { expect, test } from 'vitest'
import { curlLine } from './curl.ts'
import type { Exchange, Header } from './exchange.ts'

const exchange = (headers: Header[], body?: string): Exchange => ({
  url: 'http://127.0.0.1:8080/a?b=1',
  request: { method: body === undefined ? 'GET' : 'POST', path: '/a?b=1', headers, body },
  response: { status: 200, reason: 'OK', headers: [], body: '' },
  milliseconds: 1,
})

test('replaces valid credentials with shell variables', () => {
  const line = curlLine(
    exchange([
      ['Authorization', 'Digest username="x"'],
      ['Accept', 'a/b'],
    ]),
    { genuine: true },
  )
  expect(line).toBe(
    `curl -i --path-as-is --digest -u "$SVC_PUBLIC_KEY:$SVC_PRIVATE_KEY" -H 'Accept: a/b' 'http://127.0.0.1:8080/a?b=1'`,
  )
})

test('prints invalid credentials as they were sent', () => {
  const line = curlLine(
    exchange([
      ['Authorization', "Basic it's"],
      ['Accept', '*/*'],
    ]),
    { genuine: false },
  )
  expect(line).toContain(`-H 'Authorization: Basic it'\\''s'`)
})

test('removes the headers that curl adds by default', () => {
  const line = curlLine(exchange([], '{"a": 1}'), { genuine: true })
  expect(line).toContain("-X POST -H 'Accept:' -H 'Content-Type:' --data-raw '{\"a\": 1}'")
})

test('decodes with curl without asking for a coding', () => {
  const { response, ...rest } = exchange([])
  const line = (coding: string) =>
    curlLine(
      { ...rest, response: { ...response, headers: [['content-encoding', coding]] } },
      { genuine: true },
    )
  expect(line('gzip')).toContain("--compressed -H 'Accept-Encoding:'")
  expect(line('identity')).not.toContain('--compressed')
})
