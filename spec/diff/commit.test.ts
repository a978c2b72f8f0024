import { expect, test } from 'vitest'
import { bundlesOfCommit, git } from './commit.ts'

const minute = 60_000

test(
  'bundles a commit with its own build step, and does not change the repository',
  () => {
    const before = git('status', '--porcelain', '--', 'spec/dist')
    const { documents, facts } = bundlesOfCommit('HEAD')
    expect([...documents.keys()]).toEqual(facts.versions.map(({ id }) => id))
    expect(documents.get('v1.0')).toHaveProperty('openapi')
    expect(git('status', '--porcelain', '--', 'spec/dist')).toBe(before)
  },
  minute,
)

test('throws for an unknown commit', () => {
  expect(() => bundlesOfCommit('no-such-commit')).toThrow()
})
