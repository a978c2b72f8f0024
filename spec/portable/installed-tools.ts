import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const source = new URL('tools/', import.meta.url).pathname
const cache = new URL('../../node_modules/.cache/svc-admin-portable/', import.meta.url).pathname

/**
 * Installs the tools of `tools/package-lock.json` under node_modules/.cache, once for each state of the lock, and
 * returns the folder of their commands.
 */
export function installedTools(): string {
  const lock = readFileSync(join(source, 'package-lock.json'))
  const folder = join(cache, createHash('sha256').update(lock).digest('hex').slice(0, 16))
  if (!existsSync(folder)) install(folder)
  return join(folder, 'node_modules/.bin')
}

/** Installs beside the place and then moves, so that a broken install is never taken for a whole one. */
function install(folder: string): void {
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(cache, 'install-'))
  try {
    for (const name of ['package.json', 'package-lock.json']) cpSync(join(source, name), join(work, name))
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: work,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    moveUnlessThere(work, folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Two test files may install at once; whose install comes second is dropped. */
function moveUnlessThere(work: string, folder: string): void {
  try {
    renameSync(work, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}
