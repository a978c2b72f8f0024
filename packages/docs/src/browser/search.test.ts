import { beforeAll, describe, expect, test } from 'vitest'
import { model, searchEntriesOf } from '../testing/inputs.ts'
import { createFinder, type Finder, findByName, lacksName } from './search.ts'
import { tokens } from './tokens.ts'

let finder: Finder
const find = (query: string, limit?: number) => finder.find(query, limit).found
const titles = (query: string, limit = 5) => find(query, limit).map(({ kind, title }) => `${kind} ${title}`)

beforeAll(() => {
  finder = createFinder(['shared', model.newest.id].flatMap(searchEntriesOf))
})

test('finds names by their parts', () => {
  expect(tokens('acknowledgedUntil')).toEqual(['acknowledgedUntil', 'acknowledged', 'Until'])
  expect(tokens('ALERT_OPEN, x')).toEqual(['ALERT_OPEN', 'ALERT', 'OPEN', 'x'])
})

test('matches synonyms as whole words and typed words by their beginning', () => {
  const entry = (title: string) => ({
    kind: 'Guide',
    title,
    url: `${title}/`,
    detail: '',
    text: '',
    names: '',
    key: '',
    body: '',
  })
  const small = createFinder(['Add a key', 'Addresses', 'Creation'].map(entry))
  expect(
    small
      .find('create')
      .found.map(({ title }) => title)
      .sort(),
  ).toEqual(['Add a key', 'Creation'])
})

describe('the search finds', () => {
  test('every operation by its id, first', () => {
    const missed = model.newest.operations.filter(
      ({ id, operation }) => find(id, 1)[0]?.title !== operation.summary,
    )
    expect(missed.map(({ id }) => id)).toEqual([])
  })

  test('every operation by its summary', () => {
    const missed = model.newest.operations.filter(
      ({ id, operation }) =>
        !find(operation.summary, 5).some(({ url }) => url.includes(`/operations/${id}/`)),
    )
    expect(missed.map(({ id }) => id)).toEqual([])
  })

  test('every operation by its path', () => {
    const missed = model.newest.operations.filter(
      ({ id, path, method }) =>
        !find(`${method} ${path}`, 8).some(({ url }) => url.includes(`/operations/${id}/`)),
    )
    expect(missed.map(({ id }) => id)).toEqual([])
  })

  test('every operation by the path on its page, among the operations of that path', () => {
    const missed = model.newest.operations.filter(({ id, path, prefix, operation }) => {
      const methods = model.newest.operations.filter((each) => each.path === path).length
      const found = find(prefix + path, methods).map(({ title }) => title)
      return !found.includes(operation.summary ?? id)
    })
    expect(missed.map(({ id }) => id)).toEqual([])
  })

  test('an operation by the address of a request', () => {
    const ids = '64b7e1c20f3a5d6e7f809101'
    for (const query of [
      `/groups/${ids}/alerts`,
      `GET https://svc.example/api/svc/v2/groups/${ids}/alerts?pageNum=2`,
      '/groups/{groupId}/alert',
    ])
      expect(titles(query, 1)[0], query).toMatch(/^Operation List .*alert/i)
  })

  test('every requirement by its id, and every version, first', () => {
    const ids = [...model.inputs.requirements, ...model.versions].map(({ id }) => id)
    expect(ids.filter((id) => find(id, 1)[0]?.title !== id)).toEqual([])
  })

  test('the values of a limit', () => {
    expect(titles('M0')).toContain('Limit tiersWithoutAccessHistory')
  })

  test('results for questions and synonyms', () => {
    expect(titles('how to authenticate', 1)).toEqual(['Guide Authentication'])
    expect(titles('pagination', 1)).toEqual(['Guide Paging'])
  })

  test('the typed word before similar words', () => {
    const found = find('nonce')
    expect(found.map(({ url }) => url.split('/')[1])).toContain('authentication')
    expect(found.map(({ title }) => title)).not.toContain('NONE')
  })

  test('a field of a schema, with its path', () => {
    expect(find('acknowledgedUntil', 10)).toContainEqual(
      expect.objectContaining({ kind: 'Field', detail: 'Alert.acknowledgedUntil' }),
    )
  })

  test('a value of an enumeration', () => {
    expect(titles('TRACKING')).toContain('Value TRACKING')
  })

  test('every error code, first', () => {
    const codes = Object.keys(model.inputs.facts.errorCodes)
    expect(codes.filter((code) => find(code, 1)[0]?.title !== code)).toEqual([])
  })

  test('the text of a guide', () => {
    expect(find('spreadsheet', 5).map(({ url }) => url)).toContain('guides/envelopes/')
  })

  test('words with one typo: a missing, extra or wrong letter, or two swapped letters', () => {
    for (const query of ['acknowlegeAlert', 'acknowledgeeAlert', 'acknowledgeAlart', 'acknowledgeAlret'])
      expect(titles(query), query).toContain('Operation Acknowledge or unacknowledge an alert')
  })

  test('long words with two typos', () => {
    expect(titles('authentification', 1)).toEqual(['Guide Authentication'])
  })

  test('the parts of an unknown name', () => {
    const { message, found } = finder.find('X-RateLimit-Remaining', 3)
    expect(message).toBe(
      'No results for “x-ratelimit-remaining”. Showing results for parts of the name instead.',
    )
    // The guide explains that this header doesn't exist.
    expect(found.map(({ url }) => url)).toContain('guides/rate-limits/#limits')
  })

  test('two words that are joined', () => {
    const { message, found, guessed } = finder.find('ratelimit')
    expect(message).toBe('No results for “ratelimit”. Showing results for “rate limit” instead.')
    expect([guessed, found[0]?.title.toUpperCase()]).toEqual([true, 'RATE_LIMITED'])
  })
})

test('finds nothing for an unknown word', () => {
  expect(find('xylophonequartet')).toEqual([])
})

describe('the message shows', () => {
  test('which typo was corrected', () => {
    expect(finder.find('acknowlegeAlert')).toMatchObject({
      message: 'No results for “acknowlegealert”. Showing results for “acknowledgealert” instead.',
      guessed: true,
    })
    expect(finder.find('acknowlege alert').message).toBe(
      'No results for “acknowlege”. Showing results for “acknowledge” instead.',
    )
    expect(finder.find('acknowledgeAlert')).toMatchObject({ message: '' })
  })

  test('which words have no results', () => {
    const { message, found, guessed } = finder.find('xylophone alert')
    expect(message).toBe('No results for “xylophone”. Showing results for the other words instead.')
    expect(guessed).toBeUndefined()
    expect(found[0]?.title).toMatch(/alert/)
    expect(finder.find('xylophone quartet alert').message).toMatch(
      /^No results for “xylophone” and “quartet”\./,
    )
  })

  test('that no entry has all words', () => {
    const { message, found } = finder.find('python kubernetes container')
    expect(message).toBe('No results for all of these words. Showing results for most of them instead.')
    expect(found[0]?.title).toBe('Deploy in containers or on Kubernetes')
  })
})

test('does not correct a short word if another word has results', () => {
  // `alrt` differs from `alert` by one letter.
  const { guessed, found } = finder.find('alrt snapshot')
  expect(guessed).toBeUndefined()
  expect(found[0]?.title).toMatch(/snapshot/i)
})

test('does not correct two typos in a short word', () => {
  expect(find('acceptz').map(({ title }) => title)).not.toContain('access_token')
})

test('finds operations by the end of their path, and paths of the newest version from every other one', () => {
  expect(titles('alertConfigs/matchers/fieldNames', 1)).toEqual(['Operation List matcher field names'])
  for (const { id } of model.versions.slice(0, -1)) {
    const older = createFinder(['shared', id].flatMap(searchEntriesOf))
    for (const { path, prefix, method } of model.newest.operations) {
      const query = `${method} ${prefix}${path}`
      const response = older.find(query, 5)
      if (lacksName(response, query))
        expect(findByName(searchEntriesOf(model.newest.id), query)[0]?.detail, query).toContain(path)
      else expect(response, query).toMatchObject({ isPath: true })
    }
  }
})

test('finds names of another version, exact matches first', () => {
  expect(lacksName(finder.find('replicationSpecId'), 'replicationSpecId')).toBe(true)
  expect(lacksName(finder.find('acknowledgedUntil'), 'acknowledgedUntil')).toBe(false)
  expect(lacksName(finder.find('listAlerts'), 'listAlerts')).toBe(false)
  const [first] = findByName(searchEntriesOf('2023-01-01'), 'replicationspecid')
  expect(first).toMatchObject({ title: 'replicationSpecId' })
  expect(findByName(searchEntriesOf('v1.0'), '/api/svc/v1.0/groups/x/alerts')[0]?.kind).toBe('Operation')
})
