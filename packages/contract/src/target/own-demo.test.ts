import { expect, test } from 'vitest'
import { demoTarget } from './demo.ts'
import { copyOfDemo, isDemo, publicDemo, targetOn } from './own-demo.ts'

const identifiersIn = (value: unknown): string[] => [
  ...new Set(JSON.stringify(value).match(/(?<![0-9a-f])[0-9a-f]{24}(?![0-9a-f])/g)),
]

const keysIn = ({ apiKeys = [], serviceAccounts = [] }: ReturnType<typeof copyOfDemo>['rows']): unknown[] => [
  ...apiKeys.map(({ publicKey }) => publicKey),
  ...serviceAccounts.map(({ clientId }) => clientId),
]

test('copies of the demo organization share no identifiers or keys with it or with each other', () => {
  const all = [publicDemo(), copyOfDemo('one'), copyOfDemo('other')].map(({ rows }) => rows)
  for (const things of [all.map(identifiersIn), all.map(keysIn)]) {
    const [whole = [], ...others] = things
    expect(whole.length).toBeGreaterThan(10)
    for (const one of others) expect(one.length).toBe(whole.length)
    expect(new Set(things.flat()).size).toBe(3 * whole.length)
  }
})

test('a copy sorts like the demo organization and is the same for the same tag', () => {
  const { rows, names } = copyOfDemo('one')
  const known = identifiersIn(publicDemo().rows).sort()
  expect(known.map((id) => names.get(id) ?? '')).toEqual(identifiersIn(rows).sort())
  expect(copyOfDemo('one').rows).toEqual(rows)
})

test('a target on a copy uses no demo identifiers, and only there may the other tenant be lost', () => {
  const target = demoTarget({ baseUrl: 'http://127.0.0.1:1', control: 'http://127.0.0.1:2' })
  expect([isDemo(target), isDemo({ ...target, things: { groupId: 'x' } })]).toEqual([true, false])
  const own = targetOn(target, copyOfDemo('one'))
  const known = new Set(identifiersIn(publicDemo().rows))
  expect(identifiersIn(own).filter((id) => known.has(id))).toEqual([])
  expect(own.foreignMayBeLost).toBe(true)
  const plain = demoTarget({ baseUrl: 'http://127.0.0.1:1' })
  expect([isDemo(plain), plain.foreignMayBeLost]).toEqual([false, undefined])
})
