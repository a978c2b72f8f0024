import { beforeAll, describe, expect, test } from 'vitest'
import { model, textOf } from '../testing/inputs.ts'
import { createFinder, type Finder, findByName, lacksName } from './search.ts'
import { readEntries, type SearchEntry, tokens } from './tokens.ts'

let finder: Finder
const titles = (query: string, limit = 5) =>
  finder.find(query, limit).map(({ kind, title }) => `${kind} ${title}`)

/** What the script of an index leaves for the page. */
function entriesOf(name: string): SearchEntry[] {
  const text = textOf(`assets/search-${name}.js`)
  return readEntries(JSON.parse(text.slice(text.indexOf(']=') + 2)))
}

beforeAll(() => {
  finder = createFinder(['shared', model.newest.id].flatMap(entriesOf))
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

  test('every operation by its path as its page prints it, among the first of its methods', () => {
    const missed = model.newest.operations.filter(({ id, path, prefix, operation }) => {
      const methods = model.newest.operations.filter((each) => each.path === path).length
      const found = finder.find(prefix + path, methods).map(({ title }) => title)
      return !found.includes(operation.summary ?? id)
    })
    expect(missed.map(({ id }) => id)).toEqual([])
  })

  test('an operation by the address of a call', () => {
    const ids = '64b7e1c20f3a5d6e7f809101'
    for (const query of [
      `/groups/${ids}/alerts`,
      `GET https://svc.example.com/api/svc/v2/groups/${ids}/alerts?pageNum=2`,
      '/groups/{groupId}/alert',
    ])
      expect(titles(query, 1)[0], query).toMatch(/^Operation List .*alert/i)
  })

  test('every requirement by its id, and every version, first', () => {
    const ids = [...model.inputs.requirements, ...model.versions].map(({ id }) => id)
    expect(ids.filter((id) => finder.find(id, 1)[0]?.title !== id)).toEqual([])
  })

  test('the values of a limit', () => {
    expect(titles('M0')).toContain('Limit tiersWithoutAccessHistory')
  })

  test('what is asked in a sentence or in another word', () => {
    expect(titles('how to authenticate', 1)).toEqual(['Guide Authentication'])
    expect(titles('pagination', 1)).toEqual(['Guide Paging'])
  })

  test('a word as it is typed, before words that are like it', () => {
    const found = finder.find('nonce')
    expect(found.map(({ url }) => url.split('/')[1])).toContain('authentication')
    expect(found.map(({ title }) => title)).not.toContain('NONE')
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

test('what another version has is found there by its name, the whole name first', () => {
  expect(lacksName(finder.find('replicationSpecId'), 'replicationSpecId')).toBe(true)
  expect(lacksName(finder.find('acknowledgedUntil'), 'acknowledgedUntil')).toBe(false)
  const [first] = findByName(entriesOf('2023-01-01'), 'replicationspecid')
  expect(first).toMatchObject({ title: 'replicationSpecId' })
  expect(findByName(entriesOf('v1.0'), '/api/svc/v1.0/groups/x/alerts')[0]?.kind).toBe('Operation')
})
