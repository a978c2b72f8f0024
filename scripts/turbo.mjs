// `node scripts/turbo.mjs <tasks and flags>`: turbo, for a `dist` that holds what was built and nothing else. From its
// cache turbo writes files and takes none away: those of a source that is gone would stay, be loaded, and be packed.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const args = process.argv.slice(2)
/** What turbo itself is told. What stands behind `--` it hands on to the tasks. */
const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
const handedOn = args.slice(own.length)
const program = turboProgram()
/** By task, the hash of what it was built from: what is not in here may be of anything. */
const record = join(process.cwd(), 'node_modules/.svc-admin-built.json')

const turbo = (more, options) =>
  spawnSync(process.execPath, [program, 'run', ...own, ...more, ...handedOn], {
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
    maxBuffer: 256 * 1024 * 1024,
    ...options,
  })

const builds = plannedBuilds()
const before = recorded()
const others = builds.filter(({ taskId, hash }) => before[taskId] !== hash)
// What is not in the cache is built, and every build begins with an empty folder.
for (const { directory, cache } of others)
  if (cache.status === 'HIT') rmSync(join(process.cwd(), directory, 'dist'), { recursive: true, force: true })
// First of all forgotten: a build that is broken off leaves some of both.
const kept = Object.fromEntries(
  Object.entries(before).filter(([id]) => !others.some(({ taskId }) => taskId === id)),
)
if (others.length > 0) write(kept)
const { status } = turbo([], { stdio: 'inherit' })
if (status === 0 && others.length > 0)
  write({ ...kept, ...Object.fromEntries(others.map(({ taskId, hash }) => [taskId, hash])) })
process.exitCode = status ?? 1

/** A clone in which nothing is installed has no turbo, and is not told of that by where it was looked for. */
function turboProgram() {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('turbo/package.json')), 'bin/turbo')
  } catch {
    console.error('The dependencies are not installed: run `npm install` first.')
    process.exit(1)
  }
}

/**
 * The builds that turbo would look after; none where it would not run, of which it then says why, and where it was asked
 * for something else (`--help`, `--graph`), which it tells instead of a plan. Of the words for a plan it refuses a second
 * only where that is spelt alike.
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
