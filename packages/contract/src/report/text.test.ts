import { expect, test } from 'vitest'
import { columnsOf } from './text.ts'

test.each([
  [undefined, 80],
  [0, 80],
  [1, 40],
  [60, 60],
  [300, 100],
])('a terminal of %s columns gets lines of at most %i', (columns, expected) => {
  expect(columnsOf({ columns })).toBe(expected)
})
