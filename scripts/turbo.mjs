/**
 * Runs turbo, and ensures that `dist` contains only the current build (`node scripts/turbo.mjs <tasks and flags>`).
 * When turbo restores a build from its cache, it doesn't delete other files in `dist`. Without this script, the output
 * of removed source files would still be loaded and packed.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const args = process.argv.slice(2)
/** The arguments for turbo itself. The arguments after `--` are for its tasks. */
const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
const passedThrough = args.slice(own.length)
const program = turboProgram()
/** A file that contains the hash of each build's inputs. */
const record = join(process.cwd(), 'node_modules/.svc-admin-built.json')

const turbo = (more, options) =>
  spawnSync(process.execPath, [program, 'run', ...own, ...more, ...passedThrough], {
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
    maxBuffer: 256 * 1024 * 1024,
    ...options,
  })

const builds = plannedBuilds()
const before = recorded()
const stale = builds.filter(({ taskId, hash }) => before[taskId] !== hash)
// Builds that aren't in the cache run again and clean their own folders.
for (const { directory, cache } of stale)
  if (cache.status === 'HIT') rmSync(join(process.cwd(), directory, 'dist'), { recursive: true, force: true })
/**
 * Remove stale builds from the record before turbo runs, because an interrupted build leaves a mix of old and new
 * output.
 */
const unchanged = Object.fromEntries(
  Object.entries(before).filter(([id]) => !stale.some(({ taskId }) => taskId === id)),
)
if (stale.length > 0) write(unchanged)
const { status } = turbo([], { stdio: 'inherit' })
if (status === 0 && stale.length > 0)
  write({ ...unchanged, ...Object.fromEntries(stale.map(({ taskId, hash }) => [taskId, hash])) })
process.exitCode = status ?? 1

/** Returns the path of turbo. If the dependencies aren't installed, prints a helpful message. */
function turboProgram() {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('turbo/package.json')), 'bin/turbo')
  } catch {
    console.error('The dependencies are not installed: run `npm install` first.')
    process.exit(1)
  }
}

/**
 * Returns the builds that turbo would run. Returns an empty list if turbo would fail, because turbo then reports the
 * error itself. Also returns an empty list if flags such as `--help` and `--graph` prevent turbo from printing a plan.
 * Turbo only rejects a second `--dry` if both flags are spelled the same way.
 */
function plannedBuilds() {
  if (own.some((flag) => flag.startsWith('--dry-run'))) return []
  const { status, stdout } = turbo(['--dry=json'], { encoding: 'utf8' })
  if (status !== 0 || !stdout.startsWith('{')) return []
  const { tasks } = JSON.parse(stdout)
  return tasks.filter(({ task, outputs }) => task === 'build' && outputs?.includes('dist/**'))
}

function recorded() {
  try {
    return JSON.parse(readFileSync(record, 'utf8'))
  } catch {
    return {}
  }
}

function write(content) {
  mkdirSync(dirname(record), { recursive: true })
  writeFileSync(record, JSON.stringify(content))
}
