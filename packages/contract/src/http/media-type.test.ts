import { expect, test } from 'vitest'
import { isJson, parseMediaType, sameMediaType } from './media-type.ts'

test('compares media types without case and parameters', () => {
  expect(
    sameMediaType(
      'Application/VND.svc.2024-05-30+JSON; charset=utf-8',
      'application/vnd.svc.2024-05-30+json',
    ),
  ).toBe(true)
  expect(sameMediaType('application/vnd.svc.2023-01-01+json', 'application/vnd.svc.2024-05-30+json')).toBe(
    false,
  )
  expect(sameMediaType('nonsense', 'nonsense')).toBe(false)
})

test('reads parameters with and without quotes', () => {
  const parameters = parseMediaType('text/plain; Charset="utf-8"; q=0.5')?.parameters
  expect([...(parameters ?? [])]).toEqual([
    ['charset', 'utf-8'],
    ['q', '0.5'],
  ])
})

test('recognizes JSON by its suffix', () => {
  expect(isJson('application/vnd.svc.2023-01-01+json')).toBe(true)
  expect(isJson('text/html')).toBe(false)
})
