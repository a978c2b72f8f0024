import { expect, it } from 'vitest'
import { createCachedLookup } from './cached-lookup.ts'

/** Creates a lookup that doesn't return until the test provides the value. */
function lookUp(remembers = true) {
  const asked: ((value: string | undefined) => void)[] = []
  const remembered = createCachedLookup<string>(
    remembers,
    () => new Promise((resolve) => asked.push(resolve)),
  )
  return { asked, remembered }
}

it('looks up found values once', async () => {
  const { asked, remembered } = lookUp()
  const first = remembered.get('a')
  asked[0]?.('old')
  expect([await first, remembered.get('a'), asked.length]).toEqual(['old', 'old', 1])
})

it("doesn't cache a lookup that started before it was cleared", async () => {
  const { asked, remembered } = lookUp()
  const before = remembered.get('a')
  remembered.clear()
  asked[0]?.('old')
  expect(await before).toBe('old')
  const after = remembered.get('a')
  asked[1]?.('new')
  expect([await after, remembered.get('a'), asked.length]).toEqual(['new', 'new', 2])
})

it.each([
  ['missing values', true, undefined],
  ['values that other processes can change', false, 'old'],
])("doesn't cache %s", async (_, remembers, value) => {
  const { asked, remembered } = lookUp(remembers)
  const first = remembered.get('a')
  asked[0]?.(value)
  expect(await first).toBe(value)
  void remembered.get('a')
  expect(asked).toHaveLength(2)
})
