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
  text: 'The operation listAlerts was removed.',
}
const changes = new Map([['2024-05-30', [change, { ...change, id: 'other', class: 'additive' as const }]]])
const exemption: Exemption = {
  version: '2024-05-30',
  id: change.id,
  reason: 'The operation never worked.',
  expires: '2026-12-31',
}
const today = '2026-11-21'

test('rejects a breaking change without an exemption, and accepts an additive one', () => {
  expect(faultsOf(changes, [], today)).toEqual([
    '2024-05-30 has a breaking change without an exemption: operation-removed #/paths/~1alerts/get. The operation listAlerts was removed.',
  ])
})

test('names the source of a change, if it is known', () => {
  const sourceOf = (version: string, { location }: Change) => `${version} ${location}`
  expect(faultsOf(changes, [], today, sourceOf)).toEqual([
    expect.stringMatching(/was removed\. See 2024-05-30 #\/paths\/~1alerts\/get\.$/),
  ])
})

test('accepts an exempt change', () => {
  expect(faultsOf(changes, [exemption], today)).toEqual([])
})

test('expands an exemption of several versions', () => {
  const { version: _, ...rest } = exemption
  expect(exemptionsIn([{ ...rest, versions: ['v1.0', '2024-05-30'] }])).toEqual([
    { ...rest, version: 'v1.0' },
    exemption,
  ])
})

test('applies an exemption to its version only', () => {
  expect(faultsOf(changes, [{ ...exemption, version: '2023-01-01' }], today)).toHaveLength(2)
})

test.each([
  ['expired yesterday', { expires: '2026-11-20' }, /expired on 2026-11-20/],
  ['has no valid date', { expires: '2026-02-31' }, /no valid expiry date/],
  ['has no reason', { reason: '' }, /has no reason/],
])('rejects an exemption that %s', (_, part, expected) => {
  expect(faultsOf(changes, [{ ...exemption, ...part }], today)).toEqual([expect.stringMatching(expected)])
})

test('rejects an unused exemption', () => {
  expect(faultsOf(new Map(), [exemption], today)).toEqual([expect.stringMatching(/is unused/)])
})

test('keeps the comment at the top when it removes all entries', () => {
  const text = '# What it is.\n# And why.\n- id: one\n  # Of this one.\n  reason: So it is.\n'
  expect(withoutEntries(text)).toBe('# What it is.\n# And why.\n[]\n')
  expect(exemptionsIn(parse(withoutEntries(text)))).toEqual([])
})
