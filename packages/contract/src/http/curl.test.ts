import { expect, test } from 'vitest'
import { curlLine } from './curl.ts'
import type { Exchange, Header } from './exchange.ts'

const exchange = (headers: Header[], body?: string): Exchange => ({
  url: 'http://127.0.0.1:8080/a?b=1',
  request: { method: body === undefined ? 'GET' : 'POST', path: '/a?b=1', headers, body },
  response: { status: 200, reason: 'OK', headers: [], body: '' },
  milliseconds: 1,
})

test('writes good credentials as variables of the shell', () => {
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

test('writes spoiled credentials as they were sent', () => {
  const line = curlLine(
    exchange([
      ['Authorization', "Basic it's"],
      ['Accept', '*/*'],
    ]),
    { genuine: false },
  )
  expect(line).toContain(`-H 'Authorization: Basic it'\\''s'`)
})

test('takes away the headers that curl would add by itself', () => {
  const line = curlLine(exchange([], '{"a": 1}'), { genuine: true })
  expect(line).toContain("-X POST -H 'Accept:' -H 'Content-Type:' --data-raw '{\"a\": 1}'")
})

test('has curl undo a coding as the kit did, and ask for none either', () => {
  const { response, ...rest } = exchange([])
  const line = (coding: string) =>
    curlLine(
      { ...rest, response: { ...response, headers: [['content-encoding', coding]] } },
      { genuine: true },
    )
  expect(line('gzip')).toContain("--compressed -H 'Accept-Encoding:'")
  expect(line('identity')).not.toContain('--compressed')
})
