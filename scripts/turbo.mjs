/**
 * Runs turbo and ensures that `dist` contains only the current build (`node scripts/turbo.mjs <tasks and
 * flags>`). When turbo restores a build from its cache, it doesn't delete other files. The output of removed
 * source files would therefore still be loaded and packed.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const args = process.argv.slice(2)
/** The arguments for turbo itself. Arguments after `--` are passed to its tasks. */
const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
const passedThrough = args.slice(own.length)
const program = turboProgram()
/** The file with the hash of each build's inputs. */
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
// A build that isn't in the cache cleans its own folder.
for (const { directory, cache } of stale)
  if (cache.status === 'HIT') rmSync(join(process.cwd(), directory, 'dist'), { recursive: true, force: true })
/** Stale builds are removed from the record first, because an interrupted build leaves a mix of old and new output. */
const unchanged = Object.fromEntries(
  Object.entries(before).filter(([id]) => !stale.some(({ taskId }) => taskId === id)),
)
if (stale.length > 0) write(unchanged)
const { status } = turbo([], { stdio: 'inherit' })
if (status === 0 && stale.length > 0)
  write({ ...unchanged, ...Object.fromEntries(stale.map(({ taskId, hash }) => [taskId, hash])) })
process.exitCode = status ?? 1

/** Returns turbo's path, or prints a clear message if the dependencies aren't installed. */
function turboProgram() {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('turbo/package.json')), 'bin/turbo')
  } catch {
    console.error('The dependencies are not installed: run `npm install` first.')
    process.exit(1)
  }
}

/**
 * Returns the builds that turbo would run. Returns none if turbo would fail, because it reports the error
 * itself. Flags such as `--help` and `--graph` also return none, because turbo then prints no plan. Turbo
 * rejects a second `--dry` only if both are written the same way.
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
