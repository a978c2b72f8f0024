import { BlockList } from 'node:net'
import { expect, test } from 'vitest'
import { dated, outcomeIn, type Response, seeding } from '../test/context-over.ts'
import accessList from './cases/token-issuance/access-list.ts'
import unavailable from './cases/token-issuance/unavailable.ts'
import { listAt } from './document/json.ts'

const caller = '127.0.0.1'

const isRange = (entry: string): boolean => entry.includes('/')

const matches = (entry: string): boolean => {
  const [address = '', bits = '32'] = entry.split('/')
  const list = new BlockList()
  list.addSubnet(address, Number(bits))
  return list.check(caller)
}

type Matching = (entries: readonly string[]) => boolean

/** Creates a token endpoint that checks the access lists of seeded accounts. */
const listServer = (isAllowed: Matching) => {
  const { context, rows } = seeding((_, as): Response => {
    const account = as.kind === 'basic' ? as.account.clientId : ''
    const row = rows.get('serviceAccounts')?.find(({ clientId }) => clientId === account)
    const entries = listAt(row, 'accessList').map(String)
    return isAllowed(entries)
      ? [200, { access_token: 'a', token_type: 'Bearer', expires_in: 3600 }]
      : [403, { error: 'access_denied' }]
  })
  return context
}

const ofKind = (kind: string) =>
  ['first', 'middle', 'last'].map((position) => `${kind} as the ${position} entry`)

test.each<[string, Matching, string, string]>([
  ['ignores all entries after the first', (all) => all.slice(0, 1).some(matches), 'middle', 'stated'],
  ['ignores all entries before the last', (all) => all.slice(-1).some(matches), 'first', 'stated'],
  [
    'ignores the entries in between',
    ([one = '', ...more]) => matches(one) || matches(more.at(-1) ?? one),
    'middle',
    'stated',
  ],
  ['checks all entries', (all) => all.some(matches), 'middle', 'passed'],
])('a server that %s', async (_, isAllowed, position, expected) => {
  const rule = accessList['issueToken.access-list']
  for (const kind of ['address', 'range']) {
    const label = `${kind} as the ${position} entry`
    expect(await outcomeIn(listServer(isAllowed), dated('issueToken'), rule, label)).toBe(expected)
  }
})

test.each<[string, Matching, string, string]>([
  [
    'ignores lists with several entries',
    (all) => all.length > 1 || all.some(matches),
    'several other entries',
    'Violation',
  ],
  [
    'compares only the beginning',
    (all) => all.some((entry) => entry.startsWith(caller)),
    'similar address',
    'Violation',
  ],
  [
    'treats all ranges as networks of 256 addresses',
    (all) => all.some((entry) => matches(entry.replace('/25', '/24'))),
    'similar range',
    'Violation',
  ],
  ['checks all entries', (all) => all.some(matches), 'several other entries', 'passed'],
  ['checks all entries', (all) => all.some(matches), 'similar address', 'passed'],
  ['checks all entries', (all) => all.some(matches), 'similar range', 'passed'],
])('a server that %s: %s', async (_, isAllowed, label, expected) => {
  const rule = accessList['issueToken.access-list']
  expect(await outcomeIn(listServer(isAllowed), dated('issueToken'), rule, label)).toBe(expected)
})

test('a server may have access lists without ranges, or see another address of the kit', async () => {
  const rule = accessList['issueToken.access-list']
  const outcome = (isAllowed: Matching, label: string) =>
    outcomeIn(listServer(isAllowed), dated('issueToken'), rule, label)
  const withoutRanges: Matching = (all) => all.some((entry) => !isRange(entry) && matches(entry))
  for (const label of [...ofKind('range'), 'similar range'])
    expect(await outcome(withoutRanges, label)).toBe('Untestable')
  for (const label of ofKind('address')) {
    expect(await outcome(withoutRanges, label)).toBe('passed')
    expect(await outcome(() => false, label)).toBe('Untestable')
  }
})

const serverError = { error: 'server_error', error_description: 'Try again later.' }

test.each<[string, Response, string]>([
  ['has no Retry-After', [503, serverError], 'Violation'],
  ['has another error code', [503, { error: 'busy' }, 0, [['Retry-After', '1']]], 'decided'],
  ['has Retry-After', [503, serverError, 0, [['Retry-After', '1']]], 'passed'],
  ['is a success', [200, {}], 'Untestable'],
])('the response of an unavailable token endpoint %s', async (_, response, expected) => {
  let failing: string | undefined
  const { context } = seeding(() => (failing === 'issueToken' ? response : [200]), {
    fail: (operation) => {
      failing = operation
    },
  })
  const rule = unavailable['issueToken.unavailable']
  expect(await outcomeIn(context, dated('issueToken'), rule)).toBe(expected)
  expect(failing).toBeUndefined()
})
