/**
 * Functions for the steps of `npm start` and `npm test`. Each step prints its title and duration. This module uses only
 * Node's built-in modules, because it runs before the dependencies are installed.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(fileURLToPath(import.meta.url), '../..')

const isTerminal = process.stdout.isTTY === true

/** Runs a step and prints a line with its result. If the step fails, also prints the step's output. */
export function step(title, run) {
  const started = performance.now()
  showRunning([title])
  return report(title, run(), started)
}

/** Shows which steps are running, on a line that the next output overwrites. */
function showRunning(titles) {
  if (isTerminal) process.stdout.write(`\r\u001b[K${titles.length > 0 ? `· ${titles.join(' · ')} …` : ''}`)
}

function report(title, outcome, started) {
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  showRunning([])
  console.log(`${outcome.ok ? '✓' : '✗'} ${title}${outcome.note ? ` (${outcome.note})` : ''}  ${seconds} s`)
  if (!outcome.ok && outcome.output) console.log(outcome.output)
  return { ...outcome, title }
}

/**
 * Runs independent commands in parallel, with at most one command per processor. Prints a line when each command ends,
 * and returns the outcomes.
 */
export async function stepsSideBySide(steps) {
  const waiting = [...steps]
  const running = new Set()
  const outcomes = []
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [title, program, args] = next
      const started = performance.now()
      running.add(title)
      showRunning([...running])
      const outcome = await commandAside(program, args)
      running.delete(title)
      outcomes.push(report(title, outcome, started))
      showRunning([...running])
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  return outcomes
}

function commandAside(program, args) {
  return new Promise((resolve) => {
    let output = ''
    const append = (chunk) => {
      output += chunk
    }
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.setEncoding('utf8').on('data', append)
    child.stderr.setEncoding('utf8').on('data', append)
    child.on('error', ({ message }) => resolve({ ok: false, output: message }))
    child.on('close', (status) => resolve({ ok: status === 0, output: output.trim() }))
  })
}

/** Runs a command and captures its output. */
export function command(program, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    ...options,
  })
  return { ok: status === 0, output: `${stdout ?? ''}${stderr ?? ''}${error ? error.message : ''}`.trim() }
}

/** The file in which each workspace's test task records how many tests passed and failed. */
export const testCounts = '.turbo/test-counts.json'

const packages = (folder) => [
  'spec',
  ...readdirSync(join(folder, 'packages')).map((name) => `packages/${name}`),
]

export const workspaces = () => [...packages(root), 'test']

/** Returns the folders of the published packages. */
export function publishedPackages(folder = root) {
  return packages(folder).filter(
    (path) => !JSON.parse(readFileSync(join(folder, path, 'package.json'), 'utf8')).private,
  )
}

export const bin = (name, ...path) => join(root, 'node_modules', name, ...path)

/** Installs the dependencies if they are missing or the lock file has changed. */
export function install() {
  const stamp = bin('.svc-admin-lock')
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return { ok: true, note: 'up to date' }
  const npm = process.env.npm_execpath
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const outcome = npm ? command(process.execPath, [npm, ...args]) : command('npm', args)
  if (outcome.ok) writeFileSync(stamp, lock)
  return outcome
}

/** Runs turbo tasks. Prints the output of the tasks only if they fail. */
export const turbo = (...tasks) =>
  command(process.execPath, [
    join(root, 'scripts/turbo.mjs'),
    ...tasks,
    '--output-logs=errors-only',
    '--no-update-notifier',
  ])

/** Builds the packages that have changed. */
export function build() {
  const outcome = turbo('build')
  return { ...outcome, note: /(\d+ cached, \d+ total)/.exec(outcome.output)?.[1] }
}

/**
 * Finds a program by the path in an environment variable. If the variable isn't set, searches the PATH for the given
 * names.
 */
export function findProgram(variable, names) {
  const given = process.env[variable]
  if (given) return existsSync(given) ? given : undefined
  for (const folder of (process.env.PATH ?? '').split(delimiter))
    for (const name of names) if (existsSync(join(folder, name))) return join(folder, name)
  return undefined
}

/** Installs a Debian package if possible. If not, returns a message that explains what to do. */
export function installSystemPackage(name, variable) {
  if (!findProgram('', ['apt-get']) || process.getuid?.() !== 0)
    return { ok: false, output: `${name} is required. Install it, or set ${variable} to its path.` }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const update = command('apt-get', ['update', '-qq'], { env })
  return update.ok
    ? command('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], { env })
    : update
}
