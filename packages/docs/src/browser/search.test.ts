import { beforeAll, describe, expect, test } from 'vitest'
import { model, textOf } from '../testing/inputs.ts'
import { createFinder, type Finder } from './search.ts'
import { readEntries, tokens } from './tokens.ts'

let finder: Finder
const titles = (query: string, limit = 5) =>
  finder.find(query, limit).map(({ kind, title }) => `${kind} ${title}`)

beforeAll(() => {
  finder = createFinder(
    ['shared', model.newest.id].flatMap((name) => readEntries(textOf(`assets/search-${name}.json`))),
  )
})

test('names are found by their parts too', () => {
  expect(tokens('acknowledgedUntil')).toEqual(['acknowledgedUntil', 'acknowledged', 'Until'])
  expect(tokens('ALERT_OPEN, x')).toEqual(['ALERT_OPEN', 'ALERT', 'OPEN', 'x'])
})

describe('a search finds', () => {
  test('every operation by its id, first', () => {
    const missed = model.newest.operations.filter(
      ({ id, operation }) => finder.find(id, 1)[0]?.title !== operation.summary,
    )
    expect(missed.map(({ id }) => id)).toEqual([])
  })

  test('every operation by its summary', () => {
    const missed = model.newest.operations.filter(
      ({ id, operation }) =>
        !finder.find(operation.summary, 5).some(({ url }) => url.includes(`/operations/${id}/`)),
    )
    expect(missed.map(({ id }) => id)).toEqual([])
  })

  test('every operation by its path', () => {
    const missed = model.newest.operations.filter(
      ({ id, path, method }) =>
        !finder.find(`${method} ${path}`, 8).some(({ url }) => url.includes(`/operations/${id}/`)),
    )
    expect(missed.map(({ id }) => id)).toEqual([])
  })

  test('a member of a shape, with its place', () => {
    expect(finder.find('acknowledgedUntil', 10)).toContainEqual(
      expect.objectContaining({ kind: 'Member', detail: 'Alert.acknowledgedUntil' }),
    )
  })

  test('a value of an enumeration', () => {
    expect(titles('TRACKING')).toContain('Value TRACKING')
  })

  test('every error code, first', () => {
    const codes = Object.keys(model.inputs.facts.errorCodes)
    expect(codes.filter((code) => finder.find(code, 1)[0]?.title !== code)).toEqual([])
  })

  test('the text of a guide', () => {
    expect(finder.find('spreadsheet', 5).map(({ url }) => url)).toContain('guides/envelopes/')
  })

  test('in spite of one typing error: a letter missing, added, wrong, or two swapped', () => {
    for (const query of ['acknowlegeAlert', 'acknowledgeeAlert', 'acknowledgeAlart', 'acknowledgeAlret'])
      expect(titles(query), query).toContain('Operation Acknowledge or unacknowledge an alert')
  })
})

test('nothing is found for what is nowhere', () => {
  expect(finder.find('xylophonequartet')).toEqual([])
})
