import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../packages/', import.meta.url))
const known = new Map<string, readonly string[]>()

/**
 * The arguments for Node that start a command of a package, such as `main` of `server`. Uses the build output unless a
 * source is newer, because starting from source takes seconds and more memory.
 *
 * @throws Error if the package has no such command.
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

/** All inputs of a build. */
const sourcesOf = (folder: string): string[] =>
  [join(folder, 'src'), join(packages, 'types/dist')].flatMap((part) =>
    readdirSync(part, { recursive: true, encoding: 'utf8' })
      .filter((file) => !file.endsWith('.test.ts'))
      .map((file) => join(part, file)),
  )

/** Modification time of a file; 0 if it doesn't exist. */
const writtenAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
