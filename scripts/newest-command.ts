import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../packages/', import.meta.url))
const known = new Map<string, readonly string[]>()

/**
 * Returns the Node arguments for starting a package's command, such as the server's `main`. Uses the build if it is up
 * to date. Otherwise, runs the source files, which takes seconds to start and uses more memory.
 *
 * @throws Error if the package doesn't have this command.
 */
export function newestCommand(name: 'contract' | 'server', main = 'main'): readonly string[] {
  const id = `${name}/${main}`
  const command = known.get(id) ?? findCommand(join(packages, name), main)
  known.set(id, command)
  return command
}

function findCommand(folder: string, main: string): readonly string[] {
  const source = join(folder, 'src', `${main}.ts`)
  const built = join(folder, 'dist', `${main}.js`)
  if (!existsSync(source)) throw new Error(`${source} doesn't exist.`)
  const builtAt = writtenAt(built)
  return sourcesOf(folder).every((path) => writtenAt(path) < builtAt)
    ? [built]
    : ['--import', import.meta.resolve('tsx'), '--conditions=@svc-admin/source', source]
}

/** Returns the files and folders that a package's build depends on. */
const sourcesOf = (folder: string): string[] =>
  [join(folder, 'src'), join(packages, 'types/dist')].flatMap((part) =>
    readdirSync(part, { recursive: true, encoding: 'utf8' })
      .filter((file) => !file.endsWith('.test.ts'))
      .map((file) => join(part, file)),
  )

/** Returns the time when a file was last modified, or 0 if it doesn't exist. */
const writtenAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
