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

test('two spaces for each open bracket, and the end of the last line, are all that is asked of a layout', () => {
  const way = {
    usual,
    'ends of lines of another system': usual.replaceAll('\n', '\r\n'),
    'characters escaped': usual.replaceAll('/', '\\/').replace('é', '\\u00e9'),
    'spaces before colons': usual.replaceAll('":', '" :').replace('[]', '[ ]').replace('{}', '{ }'),
    'arrays in their lines':
      '{\n  "a" : [ 1, 2 ],\n  "b" : [ {\n    "c" : 3\n  }, {\n    "d" : 4\n  } ]\n}\n',
    'an array of texts in its line': '[ "a", "b" ]\n',
    'an object without members': '{ }\n',
  }
  for (const [name, text] of Object.entries(way)) expect([name, isIndented(text)]).toEqual([name, true])
})

test('any other indentation is told apart', () => {
  const way = {
    'four spaces': `${JSON.stringify(value, null, 4)}\n`,
    tabs: `${JSON.stringify(value, null, '\t')}\n`,
    'no end of the last line': usual.trimEnd(),
    'an empty line at the end': `${usual}\n`,
    'an empty line between': usual.replace('\n', '\n\n'),
    'members in one line': '{ "a": 1, "b": 2 }\n',
    'the second member in the line of the first': '{\n  "a": 1, "b": 2\n}\n',
    'one line that is not indented': usual.replace('  "none"', '"none"'),
    'one line': `${JSON.stringify(value)}\n`,
    'an array without spaces in one line': '["a","b"]\n',
    'a closing bracket too far in': usual.replace(/\n\}\n$/, '\n  }\n'),
  }
  for (const [name, text] of Object.entries(way)) expect([name, isIndented(text)]).toEqual([name, false])
})
