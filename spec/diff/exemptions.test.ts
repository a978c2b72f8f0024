import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Change } from './change.ts'
import { type Exemption, exemptionsIn, faultsOf, withoutEntries } from './exemptions.ts'

const change: Change = {
  id: 'operation-removed #/paths/~1alerts/get',
  class: 'breaking',
  rule: 'operation-removed',
  location: '#/paths/~1alerts/get',
  operations: ['listAlerts'],
  text: 'The operation listAlerts is gone.',
}
const changes = new Map([['2024-05-30', [change, { ...change, id: 'other', class: 'additive' as const }]]])
const exemption: Exemption = {
  version: '2024-05-30',
  id: change.id,
  reason: 'It never worked.',
  expires: '2026-12-31',
}
const today = '2026-11-21'

test('a breaking change without an exemption is a fault, an additive one is not', () => {
  expect(faultsOf(changes, [], today)).toEqual([
    '2024-05-30 breaks: operation-removed #/paths/~1alerts/get. The operation listAlerts is gone.',
  ])
})

test('an exemption lets its change through', () => {
  expect(faultsOf(changes, [exemption], today)).toEqual([])
})

test('an exemption of several versions is one of each', () => {
  const { version: _, ...rest } = exemption
  expect(exemptionsIn([{ ...rest, versions: ['v1.0', '2024-05-30'] }])).toEqual([
    { ...rest, version: 'v1.0' },
    exemption,
  ])
})

test('an exemption counts for its version alone', () => {
  expect(faultsOf(changes, [{ ...exemption, version: '2023-01-01' }], today)).toHaveLength(2)
})

test.each([
  ['expired the day before', { expires: '2026-11-20' }, /expired on 2026-11-20/],
  ['expires on no day', { expires: '2026-02-31' }, /no day to expire on/],
  ['has no reason', { reason: '' }, /has no reason/],
])('an exemption that %s is a fault', (_, part, expected) => {
  expect(faultsOf(changes, [{ ...exemption, ...part }], today)).toEqual([expect.stringMatching(expected)])
})

test('an exemption that nothing needs is a fault', () => {
  expect(faultsOf(new Map(), [exemption], today)).toEqual([expect.stringMatching(/is stale/)])
})

test('the file without its entries keeps the comment that says what an entry is', () => {
  const text = '# What it is.\n# And why.\n- id: one\n  # Of this one.\n  reason: So it is.\n'
  expect(withoutEntries(text)).toBe('# What it is.\n# And why.\n[]\n')
  expect(exemptionsIn(parse(withoutEntries(text)))).toEqual([])
})
