import { expect, test } from 'vitest'
import { shortRows, wholeRows } from './tokens.ts'

test('restores shortened rows', () => {
  const rows = [
    ['Schema', 'Alert', '1/schemas/Alert/', 'An alert', 'An alert'],
    ['Field', 'id', '1/schemas/Alert/#field.id', 'Alert.id', 'Identifier.', 'id'],
    [
      'Decision',
      'dates',
      'decisions/#dates',
      'Decisions: Dates are fixed.',
      'Dates are fixed.',
      '',
      '',
      'more',
    ],
    ['Decision', 'days', 'decisions/#days', 'Decisions'],
  ]
  const short = shortRows(rows)
  expect(short.map(([, , url, , text]) => [url, text])).toEqual([
    ['1/schemas/Alert/', '=0'],
    ['#field.id', 'Identifier.'],
    ['decisions/#dates', '=11'],
    ['#days', undefined],
  ])
  const padded = (each: readonly string[]) => [...each, '', '', '', ''].slice(0, 8)
  expect(wholeRows(short).map(padded)).toEqual(rows.map(padded))
})
