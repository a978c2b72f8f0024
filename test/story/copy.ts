import { execFile, execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const repository = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

/** A command's output and exit status. */
export interface Ended {
  readonly code: number
  readonly output: string
}

/** A temporary copy of this checkout. */
export interface Copy {
  readonly root: string
  /** Runs a command in the copy. */
  run(program: string, args: readonly string[], folder?: string): Promise<Ended>
  remove(): void
}

/**
 * Copies the build output, and all tracked and untracked files except ignored files. Installed dependencies are linked
 * instead of being copied. Links to this repository's packages are redirected to the copy.
 */
export function copyRepository(): Copy {
  const root = mkdtempSync(join(tmpdir(), 'svc-admin-story-'))
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repository,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const files = listed.split('\0').filter((path) => path !== '' && existsSync(join(repository, path)))
  for (const path of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    copyFileSync(join(repository, path), join(root, path))
  }
  const workspaces = [...new Set(files.filter((path) => path.endsWith('/package.json')).map(dirname))]
  for (const folder of workspaces) {
    const built = join(repository, folder, 'dist')
    if (existsSync(built)) cpSync(built, join(root, folder, 'dist'), { recursive: true })
    linkInstalled(join(repository, folder, 'node_modules'), join(root, folder, 'node_modules'))
  }
  linkInstalled(join(repository, 'node_modules'), join(root, 'node_modules'))
  return {
    root,
    run: (program, args, folder = '.') => runIn(join(root, folder), program, args),
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  }
}

/** Links to workspaces are relative, so copied links point to the workspaces in the copy. */
function linkInstalled(from: string, to: string): void {
  if (!existsSync(from)) return
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    const entry = join(from, name)
    if (name === '@svc-admin') cpSync(entry, join(to, name), { recursive: true, verbatimSymlinks: true })
    else if (!name.startsWith('.svc-admin')) symlinkSync(entry, join(to, name))
  }
}

async function runIn(folder: string, program: string, args: readonly string[]): Promise<Ended> {
  if (!lstatSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`)
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
  const env = { ...process.env, NODE_OPTIONS: '' }
  try {
    const { stdout, stderr } = await run(program, args, { ...options, env })
    return { code: 0, output: stdout + stderr }
  } catch (error) {
    const { code, stdout, stderr, message } = error as Error & {
      code?: number
      stdout?: string
      stderr?: string
    }
    return { code: code ?? 1, output: `${stdout ?? ''}${stderr ?? ''}` || message }
  }
}
