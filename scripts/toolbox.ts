import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const settings = fileURLToPath(new URL('../.npmrc', import.meta.url))

/**
 * Installs packages into a folder outside the repository, and reuses the folder in later runs. Large tools aren't
 * dependencies of the repository, so that `npm ci` stays fast. Tools for tests have a lock file, so that a new version
 * of an indirect dependency can't break a test. Tools for benchmarks only have exact versions in `package.json`.
 *
 * @returns the folder that contains `node_modules`.
 * @throws if npm fails.
 */
export async function installToolbox(home: URL): Promise<string> {
  const manifest = readFileSync(new URL('package.json', home), 'utf8')
  const lock = new URL('package-lock.json', home)
  const isLocked = existsSync(lock)
  const { name }: { name: string } = JSON.parse(manifest)
  const versions = createHash('sha256').update(isLocked ? readFileSync(lock) : manifest)
  const folder = join(tmpdir(), `${name}-${versions.digest('hex').slice(0, 12)}`)
  if (existsSync(folder)) return folder
  const temporary = mkdtempSync(`${folder}-`)
  try {
    writeFileSync(join(temporary, 'package.json'), manifest)
    if (isLocked) cpSync(lock, join(temporary, 'package-lock.json'))
    cpSync(settings, join(temporary, '.npmrc'))
    // Don't use `npm ci`, because it requires the binaries for all platforms, and some registry mirrors don't have
    // them.
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: temporary })
    moveUnlessThere(temporary, folder)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
  return folder
}

/**
 * Moves the installed packages to their final folder. If another process has already created that folder, deletes this
 * installation.
 */
function moveUnlessThere(temporary: string, folder: string): void {
  try {
    renameSync(temporary, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}
