import { expect, test } from 'vitest'
import { ledgerWith, requirement } from './fixture.ts'
import { unknownWords } from './words.ts'

const shared = new Map([
  ['error:DUPLICATE_NAME', { status: 409 }],
  ['error:GONE', { status: 410 }],
  ['vocabulary:kinds', { values: ['IN_PROGRESS'] }],
])
const messagesFor = (text: string) =>
  unknownWords(ledgerWith({ shared, requirements: [requirement({ text })] })).map(({ says }) => says)

test.each([
  'Returns 409 DUPLICATE_NAME if the name is in use.',
  'The state is IN_PROGRESS, and returns 410 GONE after it ends.',
  'JSON, HTTP and IDs are not codes of the API.',
])('accepts codes and values that are in the facts: %s', (text) => {
  expect(messagesFor(text)).toEqual([])
})

test.each([
  ['Returns 409 NAME_TAKEN if the name is in use.', 'NAME_TAKEN'],
  ['Returns 410 OVER after it ends.', 'OVER'],
  ['The state is IN_PROGRES.', 'IN_PROGRES'],
])('reports codes and values that were renamed or misspelled: %s', (text, word) => {
  expect(messagesFor(text)).toEqual([`its text contains ${word}, which does not occur in any fact`])
})
