import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The task of generating and running a client for one document. */
export interface Job {
  /** The OpenAPI document, a JSON file. */
  readonly bundle: string
  /** An empty folder for the client and for a program that uses the client. */
  readonly folder: string
  /** A folder for the tools and their dependencies, which later runs reuse. */
  readonly cache: string
}

export interface Command {
  readonly command: string
  readonly options: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** A client generator. Each function throws if one of its commands fails. */
export interface Generator {
  readonly name: string
  /** Commands that must be installed. If one of them is missing, the matrix skips the generator. */
  readonly needs: readonly string[]
  /** Installs the tool into the cache, unless the cache already contains it. */
  install(job: Job): Promise<void>
  generate(job: Job): Promise<void>
  compile(job: Job): Promise<void>
  /** The command for the program that uses the client. */
  program(job: Job): Command
}

const programs = fileURLToPath(new URL('programs/', import.meta.url))

/** Copies a program that uses a generated client into the job's folder. */
export function copyProgram({ folder }: Job, source: string, target = source): void {
  mkdirSync(join(folder, target, '..'), { recursive: true })
  cpSync(join(programs, source), join(folder, target))
}

/**
 * Writes the job's document with the changes that a generator needs.
 *
 * @param replacer Changes a value, as in `JSON.stringify`.
 * @returns The path of the file, in the job's folder.
 */
export function changedBundle(job: Job, replacer: (name: string, value: unknown) => unknown): string {
  const document: unknown = JSON.parse(readFileSync(job.bundle, 'utf8'))
  writeFileSync(join(job.folder, 'document.json'), JSON.stringify(document, replacer))
  return 'document.json'
}

export const isInstalled = (command: string): boolean =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, command)))

/**
 * Runs a command until it ends.
 *
 * @returns The standard output.
 * @throws Error with the end of the output if the command fails.
 */
export function run({ command, options, env = {} }: Command, cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const settings = { cwd, env: { ...process.env, ...quiet, ...env }, maxBuffer: 1e8 }
    const child = execFile(command, options, settings, (error, stdout, stderr) => {
      if (!error) resolve(stdout)
      else reject(new Error(`${command} failed.\n${endOf(`${stdout}\n${stderr}`) || error.message}`))
    })
    // This closes standard input because orval waits until it ends.
    child.stdin?.end()
  })
}

const quiet = { NO_COLOR: '1', CI: '1', DO_NOT_TRACK: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' }

const endOf = (text: string): string => text.trim().split('\n').slice(-12).join('\n')
