// Functions for the checks in this folder: reading files and printing problems. The checks also cover untracked files.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

/** Returns the paths of the repository's files, relative to its root. Files that Git ignores aren't included. */
export function repositoryFiles(pattern: RegExp): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  return listed.split('\n').filter((path) => pattern.test(path) && existsSync(join(root, path)))
}

export const readSource = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Prints all problems. The command fails if there are any problems. */
export function report(rule: string, problems: readonly string[]): void {
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
  console.log(problems.length > 0 ? `✗ ${rule}: ${problems.length} problems` : `✓ ${rule}`)
}
