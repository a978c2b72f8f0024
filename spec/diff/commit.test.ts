import { expect, test } from 'vitest'
import { bundlesOfCommit, git } from './commit.ts'

const minute = 60_000

test(
  'a commit is bundled by its own build step, and leaves no trace in the repository',
  () => {
    const before = git('status', '--porcelain', '--', 'spec/dist')
    const { documents, facts } = bundlesOfCommit('HEAD')
    expect([...documents.keys()]).toEqual(facts.versions.map(({ id }) => id))
    expect(documents.get('v1.0')).toHaveProperty('openapi')
    expect(git('status', '--porcelain', '--', 'spec/dist')).toBe(before)
  },
  minute,
)

test('a commit that does not exist is an error', () => {
  expect(() => bundlesOfCommit('no-such-commit')).toThrow()
})
