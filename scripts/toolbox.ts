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
 * Installs the packages from a lock file into a folder outside the repository. Later runs reuse the folder.
 * To keep `npm ci` fast, large tools aren't dependencies of the repository.
 *
 * @returns the folder that contains `node_modules`.
 * @throws if npm fails.
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
    // `npm ci` isn't used, because it would require the binaries for all platforms. Some registry mirrors don't have
    // them.
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: temporary })
    moveUnlessThere(temporary, folder)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
  return folder
}

/** Moves the installed packages to their folder. If another process was faster, this installation is deleted. */
function moveUnlessThere(temporary: string, folder: string): void {
  try {
    renameSync(temporary, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}
