import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Describes one run of a generator: which client to generate and where. */
export interface Job {
  /** The OpenAPI document, a JSON file. */
  readonly bundle: string
  /** An empty folder in which to create the client and the program that uses it. */
  readonly folder: string
  /** A folder for tools and their dependencies. Later runs reuse this folder. */
  readonly cache: string
}

export interface Command {
  readonly command: string
  readonly options: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** A tool that generates clients. Its functions throw if a command fails. */
export interface Generator {
  readonly name: string
  /** The commands that must be installed. If a command is missing, this generator is skipped. */
  readonly needs: readonly string[]
  /** Installs the tool in the cache folder if it isn't there yet. */
  install(job: Job): Promise<void>
  generate(job: Job): Promise<void>
  compile(job: Job): Promise<void>
  /** Returns the command that runs the program. */
  program(job: Job): Command
}

const programs = fileURLToPath(new URL('programs/', import.meta.url))

/** Copies one of our test programs into the run's folder. */
export function copyProgram({ folder }: Job, source: string, target = source): void {
  mkdirSync(join(folder, target, '..'), { recursive: true })
  cpSync(join(programs, source), join(folder, target))
}

/**
 * Writes a changed copy of the document, for generators that can't handle the original.
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
    // Close standard input, because orval waits until it is closed.
    child.stdin?.end()
  })
}

const quiet = { NO_COLOR: '1', CI: '1', DO_NOT_TRACK: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' }

const endOf = (text: string): string => text.trim().split('\n').slice(-12).join('\n')
