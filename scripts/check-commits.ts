// Tools show one commit subject per line. Subjects that are wider than a terminal, or that lack a type and scope, make
// the log hard to read. This check ignores commits from before it was added.
import { execFileSync } from 'node:child_process'
import { report, root } from './sources.ts'

const types = ['build', 'chore', 'ci', 'docs', 'feat', 'fix', 'perf', 'refactor', 'revert', 'style', 'test']
const longest = 72
const form = new RegExp(`^(${types.join('|')})(\\([a-z0-9-]+\\))?!?: [a-z\`].*[^.]$`)

/** Returns the problems with a commit subject. */
export function subjectProblems(subject: string): string[] {
  return [
    ...(subject.length > longest ? [`${subject.length} characters, at most ${longest}`] : []),
    ...(form.test(subject) ? [] : ['expected "type(scope): imperative", without a full stop']),
  ]
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/**
 * Returns the subjects to check, as `hash subject`. In a shallow clone, only the commits that the clone contains are
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
