import { expect, test } from 'vitest'
import { dated, outcomeIn, type Response, seeding } from '../test/context-over.ts'
import createFtsIndex from './cases/search/createFtsIndex.ts'
import createSearchIndex from './cases/search/createSearchIndex.ts'
import deleteSearchIndex from './cases/search/deleteSearchIndex.ts'
import { isObject, type JsonObject, parseJson } from './document/json.ts'

/** Servers with a fault in Search indexes, and servers that conform although they differ from the reference server. */

const notFound: Response = [404, { errorCode: 'RESOURCE_NOT_FOUND' }]

/** Tests a server with a reaction to deletions. `isShown` returns whether an index is still shown after the deletion. */
const deleting = (status: number, isShown: (index: JsonObject, seconds: number) => boolean) => {
  const created: JsonObject[] = []
  const deleted = new Map<string, number>()
  const updated = new Set<string>()
  let seconds = 0
  const { context, rows } = seeding(
    ({ method, path, body }) => {
      const left = [...(rows.get('searchIndexes') ?? []), ...created]
        .map((one) => (updated.has(String(one.indexID)) ? { ...one, status: 'BUILDING' } : one))
        .filter((one) => {
          const since = deleted.get(String(one.indexID))
          return since === undefined || isShown(one, seconds - since)
        })
      const sent = parseJson(body ?? '')
      const index = left.find(({ indexID, name }) => path.includes(`${indexID}`) || path.includes(`${name}`))
      if (method === 'POST' && isObject(sent)) {
        const indexID = `${created.length}`.padStart(24, 'c')
        created.push({ ...sent, indexID, status: path.includes('/fts/') ? 'IN_PROGRESS' : 'PENDING' })
        return [201, created.at(-1)]
      }
      if (method === 'PATCH' && index) {
        updated.add(String(index.indexID))
        return [200, { ...index, status: 'BUILDING' }]
      }
      if (method === 'DELETE' && index) {
        if (status < 300) deleted.set(String(index.indexID), seconds)
        return [status, { errorCode: 'INVALID_STATE' }]
      }
      if (/indexes(\/sales\/orders)?$/.test(path)) return [200, left]
      return index === undefined ? notFound : [200, index]
    },
    {
      advance: (passed) => {
        seconds += passed
      },
    },
  )
  return (label: string) =>
    outcomeIn(
      context,
      dated('deleteSearchIndex'),
      deleteSearchIndex['searchIndex.removal-eventually-consistent'],
      label,
    )
}

const kindsByStatus: Readonly<Record<string, readonly string[]>> = {
  PENDING: ['pending index', 'new index'],
  BUILDING: ['building index', 'updated index'],
  FAILED: ['failed index'],
  IN_PROGRESS: ['new index in the legacy format'],
}

test.each(Object.entries(kindsByStatus))(
  'a server that keeps deleted indexes with status %s',
  async (status, labels) => {
    for (const [other, kinds] of Object.entries(kindsByStatus))
      for (const label of kinds) {
        const outcome = await deleting(204, (index) => index.status === status)(label)
        expect(outcome, label).toBe(labels.includes(label) && other === status ? 'stated' : 'passed')
      }
  },
)

test.each([
  ['rejects the deletion of an index that is not built', 409, () => false, 'Untestable'],
  ['deletes an index after an hour', 204, (_: JsonObject, seconds: number) => seconds < 3600, 'decided'],
])('a server that %s conforms to the specification source', async (_, status, isShown, expected) => {
  expect(await deleting(status, isShown)('pending index')).toBe(expected)
})

test.each([
  ['keeps deleted indexes in the list in the legacy format', true, 'Violation'],
  ['removes deleted indexes from the list in the legacy format', false, 'passed'],
])('a server that %s', async (_, isKept, expected) => {
  const outcomeOf = deleting(204, () => isKept)
  expect(await outcomeOf('list in the legacy format')).toBe(expected)
})

type Reaction = (count: number) => {
  readonly status: number
  readonly indexID: string
  readonly state?: string
  readonly isLost?: boolean
}

const reactions: readonly [string, Reaction, string][] = [
  ['creates all of them', (count) => ({ status: 201, indexID: `${count}` }), 'Violation'],
  [
    'loses all but one',
    (count) => ({ status: 201, indexID: `${count}`, ...(count > 1 && { isLost: true }) }),
    'Violation',
  ],
  ['creates one', (count) => ({ status: count === 1 ? 201 : 409, indexID: `${count}` }), 'passed'],
  ['responds to all requests with one index', () => ({ status: 201, indexID: '1' }), 'passed'],
  [
    "can't build the others",
    (count) => ({ status: 201, indexID: `${count}`, state: count === 1 ? 'READY' : 'FAILED' }),
    'passed',
  ],
  ['rejects all of them', () => ({ status: 409, indexID: '' }), 'Untestable'],
]

test.each(reactions)(
  'a server that gets requests for indexes with the same name at the same time, and %s',
  async (_, reaction, expected) => {
    for (const [operation, rule] of [
      ['createSearchIndex', createSearchIndex['createSearchIndex.name-unique']],
      ['createFtsIndex', createFtsIndex['createFtsIndex.name-unique']],
    ] as const) {
      let count = 0
      const created = new Map<string, object>()
      const { context } = seeding(({ method, path }) => {
        if (method === 'GET') {
          const index = created.get(/\w+$/.exec(path)?.[0] ?? '')
          return index === undefined && path.includes('/search/') ? notFound : [200, index ?? []]
        }
        count += 1
        const { status, indexID, state = 'PENDING', isLost } = reaction(count)
        if (!isLost) created.set(indexID, { indexID, status: state })
        return [status, { indexID, status: state }]
      })
      expect(await outcomeIn(context, dated(operation), rule, 'simultaneous requests')).toBe(expected)
    }
  },
)
