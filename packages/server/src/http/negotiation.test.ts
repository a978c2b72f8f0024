import { describe, expect, it } from 'vitest'
import { Problem } from '../domain/problem.ts'
import {
  isCalendarDate,
  negotiateDated,
  requireMediaType,
  requirePlainJson,
  requireSameVersion,
} from './negotiation.ts'

const offered = [{ id: '2023-01-01' }, { id: '2024-05-30' }] as const
const today = '2026-03-01'
const of = (date: string, more = '') => `application/vnd.svc.${date}+json${more}`

function outcome(act: () => unknown): unknown {
  try {
    return act() ?? 'taken'
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

describe('Accept of v2', () => {
  it.each([
    [of('2023-01-01'), '2023-01-01'],
    [of('2024-05-30'), '2024-05-30'],
    [of('2024-05-29'), '2023-01-01'],
    [of('2026-03-01'), '2024-05-30'],
    [of('2024-02-29'), '2023-01-01'],
    [of('2024-05-30').toUpperCase(), '2024-05-30'],
    [`  ${of('2024-05-30')} ; charset=utf-8`, '2024-05-30'],
    [`${of('2023-01-01', ';q=0.5')}, ${of('2024-05-30', ';q=0.9')}`, '2024-05-30'],
    [`${of('2023-01-01', ';q=0.9')}, ${of('2024-05-30', ';q=0.5')}`, '2023-01-01'],
    [`${of('2024-05-30')}, ${of('2023-01-01')}`, '2024-05-30'],
    [`${of('2023-01-01')}, ${of('2024-05-30')}`, '2023-01-01'],
    [`*/*, ${of('2023-01-01', ';q=0.1')}`, '2023-01-01'],
    [`${of('2022-01-01')}, ${of('2023-06-01', ';q=0.1')}`, '2023-01-01'],
    [`${of('2024-99-99')}, ${of('2023-06-01', ';q=0.1')}`, '2023-01-01'],
    [`text/html;x="a,b", ${of('2023-01-01')}`, '2023-01-01'],
    [`${of('2024-05-30', ';q=0')}, ${of('2025-01-01')}, ${of('2023-06-01', ';q=0.1')}`, '2023-01-01'],
    [`${of('2025-01-01', ';q=0')}, ${of('2024-05-30')}`, '2024-05-30'],
    [`*/*;q=0, ${of('2024-05-30')}`, '2024-05-30'],
    [`${of('2024-05-30', ';charset=utf-16;q=0')}, ${of('2024-05-30')}`, '2024-05-30'],
  ])('%j resolves to %s', (accept, version) => {
    expect(outcome(() => negotiateDated(accept, offered, today))).toEqual({ id: version })
  })

  it.each([
    undefined,
    '',
    '*/*',
    'application/*',
    'application/json',
    'text/html',
    of('2022-12-31'),
    of('2026-03-02'),
    of('2024-05-30', ';q=0'),
    `${of('2024-05-30', ';q=0')}, ${of('2025-01-01')}`,
    `${of('2025-01-01', ';q=0.5')}, ${of('2024-05-30', ';q=0.0')}`,
    'nonsense',
    ',,,',
    of('2024-05-30', ';q=2'),
  ])('%j is not acceptable', (accept) => {
    expect(outcome(() => negotiateDated(accept, offered, today))).toBe('NOT_ACCEPTABLE')
  })

  it.each([
    of('2024-02-31'),
    of('2024-5-3'),
    of('latest'),
    of(''),
    of('2024-13-01'),
    of('0000-00-00'),
    of('2023-02-29'),
  ])('%j is not a date', (accept) => {
    expect(outcome(() => negotiateDated(accept, offered, today))).toBe('INVALID_VERSION_DATE')
  })

  it('returns an explanatory error, even without any date', () => {
    expect(() => negotiateDated(of('2024-13-01'), offered, today)).toThrow(
      'The version 2024-13-01 in Accept is not a calendar date.',
    )
    expect(() => negotiateDated(of(''), offered, today)).toThrow(
      'The empty version in Accept is not a calendar date.',
    )
  })

  it('lists the existing versions in the error', () => {
    expect(() => negotiateDated('*/*', offered, today)).toThrow(/2023-01-01 and 2024-05-30/)
  })
})

describe('Accept of v1.0', () => {
  it.each([
    undefined,
    '',
    '*/*',
    'application/*',
    'application/json',
    'APPLICATION/JSON',
    'text/html, */*;q=0.1',
    'application/json;charset=utf-8',
    'application/json;charset=utf-16;q=0, application/json',
  ])('accepts %j', (accept) => expect(outcome(() => requirePlainJson(accept))).toBe('taken'))
  it.each([
    'text/html',
    'application/json;q=0',
    'application/json;q=0, */*',
    of('2023-01-01'),
    'application/xml',
  ])('rejects %j', (accept) => expect(outcome(() => requirePlainJson(accept))).toBe('NOT_ACCEPTABLE'))
})

describe('Content-Type', () => {
  const chosen = offered[1]
  it.each([
    [of('2024-05-30'), 'taken'],
    [of('2025-01-01', '; charset=utf-8'), 'taken'],
    [of('2025-01-01', '; charset=UTF8'), 'taken'],
    [of('2025-01-01', '; charset=US-ASCII'), 'taken'],
    [of('2024-05-30', '; charset=utf-16'), 'UNSUPPORTED_MEDIA_TYPE'],
    [of('2024-05-30', '; charset=""'), 'UNSUPPORTED_MEDIA_TYPE'],
    [of(''), 'INVALID_VERSION_DATE'],
    [of('2023-01-01'), 'VERSION_MISMATCH'],
    [of('2022-01-01'), 'VERSION_MISMATCH'],
    [of('2026-03-02'), 'VERSION_MISMATCH'],
    [of('2024-02-31'), 'INVALID_VERSION_DATE'],
    ['application/json', 'taken'],
    ['Application/JSON; charset=UTF-8', 'taken'],
    ['application/json; charset=utf-16', 'UNSUPPORTED_MEDIA_TYPE'],
    ['text/json', 'UNSUPPORTED_MEDIA_TYPE'],
    ['application/*', 'UNSUPPORTED_MEDIA_TYPE'],
    [undefined, 'UNSUPPORTED_MEDIA_TYPE'],
    [';;;', 'UNSUPPORTED_MEDIA_TYPE'],
  ])('%j of a v2 body is %s', (type, expected) => {
    expect(outcome(() => requireSameVersion(type, chosen, offered, today))).toBe(expected)
  })

  it.each([
    ['application/json', 'taken'],
    ['application/json; charset="UTF-8"', 'taken'],
    ['application/json; charset=utf8', 'taken'],
    ['application/json; charset=us-ascii', 'taken'],
    ['Application/JSON', 'taken'],
    ['application/json; charset=latin1', 'UNSUPPORTED_MEDIA_TYPE'],
    ['text/plain', 'UNSUPPORTED_MEDIA_TYPE'],
    ['application/json, application/json', 'UNSUPPORTED_MEDIA_TYPE'],
    [undefined, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('%j of a v1.0 body is %s', (type, expected) => {
    expect(outcome(() => requireMediaType(type, 'application/json'))).toBe(expected)
  })
})

describe('a calendar date', () => {
  it.each(['2024-02-29', '2000-02-29', '9999-12-31'])('is %s', (text) =>
    expect(isCalendarDate(text)).toBe(true),
  )
  it.each(['2023-02-29', '1900-02-29', '2024-00-01', '2024-01-32', '24-01-01', '2024-01-01T00:00:00Z', ''])(
    'is not %j',
    (text) => expect(isCalendarDate(text)).toBe(false),
  )
})
