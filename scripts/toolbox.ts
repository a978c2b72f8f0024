import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const settings = fileURLToPath(new URL('../.npmrc', import.meta.url))

/**
 * Installs what a lock file names, in a folder outside of the repository that later runs find again. Tools that
 * weigh more than the repository do not belong into its own dependencies: `npm ci` stays fast.
 *
 * @returns the folder with `node_modules` in it
 * @throws when npm does
 */
export async function installToolbox(home: URL): Promise<string> {
  const lock = readFileSync(new URL('package-lock.json', home))
  const { name }: { name: string } = JSON.parse(readFileSync(new URL('package.json', home), 'utf8'))
  const folder = join(tmpdir(), `${name}-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`)
  if (existsSync(folder)) return folder
  const made = mkdtempSync(`${folder}-`)
  try {
    for (const file of ['package.json', 'package-lock.json']) {
      cpSync(new URL(file, home), join(made, file))
    }
    cpSync(settings, join(made, '.npmrc'))
    // Not `npm ci`: that wants the binaries of every platform to be known to the registry, and some mirrors have few.
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: made })
    moveUnlessThere(made, folder)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
  return folder
}

/** Two processes may install at once; whose install comes second is dropped. */
function moveUnlessThere(made: string, folder: string): void {
  try {
    renameSync(made, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}
