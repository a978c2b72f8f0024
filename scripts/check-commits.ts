/**
 * Checks commit subjects. Each subject must have a type, and it must be short because many tools show one subject per
 * line. Commits that were made before this check was added are ignored.
 */
import { execFileSync } from 'node:child_process'
import { report, root } from './sources.ts'

const types = ['build', 'chore', 'ci', 'docs', 'feat', 'fix', 'perf', 'refactor', 'revert', 'style', 'test']
const longest = 72
const form = new RegExp(`^(${types.join('|')})(\\([a-z0-9-]+\\))?!?: [a-z\`].*[^.]$`)

export function subjectProblems(subject: string): string[] {
  return [
    ...(subject.length > longest ? [`has ${subject.length} characters, but the maximum is ${longest}`] : []),
    ...(form.test(subject) ? [] : ['must have the format "type(scope): imperative", without a period']),
  ]
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/**
 * Returns the subjects to check, in the format `hash subject`. If the clone is shallow, only the available commits are
 * checked.
 */
function newCommits(): string[] {
  const added = git('log', '--diff-filter=A', '--format=%H', '--', 'scripts/check-commits.ts')
  const range = added ? [`${added.split('\n').at(-1)}..HEAD`] : ['-0']
  return git('log', '--no-merges', '--format=%h %s', ...range)
    .split('\n')
    .filter(Boolean)
}

if (process.argv[1] === import.meta.filename) {
  const problems = newCommits().flatMap((line) => {
    const [hash = '', ...words] = line.split(' ')
    return subjectProblems(words.join(' ')).map((problem) => `${hash} ${words.join(' ')}: ${problem}`)
  })
  report('commit subjects have the required format', problems)
}
