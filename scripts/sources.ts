// What the checks read: the files that git tracks or would track, and the problems that they print.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

/** Paths of the files of the repository, relative to its root, without those that git ignores. */
export function repositoryFiles(pattern: RegExp): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  return listed.split('\n').filter((path) => pattern.test(path) && existsSync(join(root, path)))
}

export const readSource = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Prints every problem and fails the command when there is one. */
export function report(promise: string, problems: readonly string[]): void {
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
  console.log(problems.length > 0 ? `✗ ${promise}: ${problems.length} problems` : `✓ ${promise}`)
}
