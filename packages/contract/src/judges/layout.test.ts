import { expect, test } from 'vitest'
import type { Exchange } from '../http/exchange.ts'
import { indented } from './layout.ts'

const isIndented = (body: string): boolean => {
  const request = { method: 'GET', path: '/', headers: [] }
  const response = { status: 200, reason: '', headers: [], body }
  return indented({ url: '', request, response, milliseconds: 0 } satisfies Exchange)
}

const value = { name: 'a "b" {c', empty: [], none: {}, links: [{ href: 'https://x/é', rel: 'self' }, 1] }
const usual = `${JSON.stringify(value, null, 2)}\n`

test('a layout needs two spaces per open bracket and a final line end', () => {
  const way = {
    usual,
    'CRLF line ends': usual.replaceAll('\n', '\r\n'),
    'characters escaped': usual.replaceAll('/', '\\/').replace('é', '\\u00e9'),
    'spaces before colons': usual.replaceAll('":', '" :').replace('[]', '[ ]').replace('{}', '{ }'),
    'arrays on one line': '{\n  "a" : [ 1, 2 ],\n  "b" : [ {\n    "c" : 3\n  }, {\n    "d" : 4\n  } ]\n}\n',
    'an array of strings on one line': '[ "a", "b" ]\n',
    'an object without fields': '{ }\n',
  }
  for (const [name, text] of Object.entries(way)) expect([name, isIndented(text)]).toEqual([name, true])
})

test('any other indentation is invalid', () => {
  const way = {
    'four spaces': `${JSON.stringify(value, null, 4)}\n`,
    tabs: `${JSON.stringify(value, null, '\t')}\n`,
    'no final line end': usual.trimEnd(),
    'an empty line at the end': `${usual}\n`,
    'an empty line between': usual.replace('\n', '\n\n'),
    'fields on one line': '{ "a": 1, "b": 2 }\n',
    'the second field on the line of the first': '{\n  "a": 1, "b": 2\n}\n',
    'one line that is not indented': usual.replace('  "none"', '"none"'),
    'one line': `${JSON.stringify(value)}\n`,
    'an array without spaces in one line': '["a","b"]\n',
    'a closing bracket indented too far': usual.replace(/\n\}\n$/, '\n  }\n'),
  }
  for (const [name, text] of Object.entries(way)) expect([name, isIndented(text)]).toEqual([name, false])
})
