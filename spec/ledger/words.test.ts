import { expect, test } from 'vitest'
import { ledgerWith, requirement } from './fixture.ts'
import { unknownWords } from './words.ts'

const shared = new Map([
  ['error:DUPLICATE_NAME', { status: 409 }],
  ['error:GONE', { status: 410 }],
  ['vocabulary:kinds', { values: ['IN_PROGRESS'] }],
])
const told = (text: string) =>
  unknownWords(ledgerWith({ shared, requirements: [requirement({ text })] })).map(({ says }) => says)

test.each([
  'A name that is taken is answered with 409 DUPLICATE_NAME.',
  'A state is IN_PROGRESS, and what is over is answered with 410 GONE.',
  'JSON, HTTP and IDs are words of others.',
])('knows the codes and values of the facts: %s', (text) => {
  expect(told(text)).toEqual([])
})

test.each([
  ['A name that is taken is answered with 409 NAME_TAKEN.', 'NAME_TAKEN'],
  ['What is over is answered with 410 OVER.', 'OVER'],
  ['A state is IN_PROGRES.', 'IN_PROGRES'],
])('finds a name that has changed or is misspelt: %s', (text, word) => {
  expect(told(text)).toEqual([`its sentence names ${word}, which no fact has`])
})
