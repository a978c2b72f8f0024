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
 * Installs the packages in a lock file into a folder outside the repository, which later runs reuse. Large tools
 * aren't dependencies of the repository, so that `npm ci` stays fast.
 *
 * @returns the folder that contains `node_modules`
 * @throws if npm fails
 */
export async function installToolbox(home: URL): Promise<string> {
  const lock = readFileSync(new URL('package-lock.json', home))
  const { name }: { name: string } = JSON.parse(readFileSync(new URL('package.json', home), 'utf8'))
  const folder = join(tmpdir(), `${name}-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`)
  if (existsSync(folder)) return folder
  const temporary = mkdtempSync(`${folder}-`)
  try {
    for (const file of ['package.json', 'package-lock.json']) {
      cpSync(new URL(file, home), join(temporary, file))
    }
    cpSync(settings, join(temporary, '.npmrc'))
    // `npm ci` would require the binaries for all platforms, which some registry mirrors don't have.
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: temporary })
    moveUnlessThere(temporary, folder)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
  return folder
}

/** If two processes install the packages at the same time, the second installation is discarded. */
function moveUnlessThere(temporary: string, folder: string): void {
  try {
    renameSync(temporary, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}
