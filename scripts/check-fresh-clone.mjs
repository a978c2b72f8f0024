/**
 * Finds missing setup steps, which go unnoticed on a machine where the project has already been set up. Clones the
 * committed tree into a new folder with an empty HOME and empty caches, runs `npm start` and each command that it
 * prints, and then stops the server. With `--caches <folder>`, also fills the caches of npm and turbo in this empty
 * folder, so that `npm test` can reuse the downloads and builds.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './steps.mjs'

const work = mkdtempSync(join(tmpdir(), 'svc-admin-fresh-'))
// Special characters in the path reveal code that uses a file's URL as its path.
const clone = join(work, 'clone 100%20 ü')
const home = join(work, 'home')
mkdirSync(home)
const { caches = join(work, 'caches') } = parseArgs({ options: { caches: { type: 'string' } } }).values
mkdirSync(caches, { recursive: true })
if (readdirSync(caches).length > 0) throw new Error(`${caches} must be empty.`)
const env = {
  ...process.env,
  HOME: home,
  TURBO_CACHE_DIR: join(caches, 'turbo'),
  npm_config_cache: join(caches, 'npm'),
}
/**
 * Copies the registry settings, because they depend on the machine. All other settings in the real HOME are ignored.
 */
for (const name of ['registry', 'cafile']) {
  const value = spawnSync('npm', ['config', 'get', name], { encoding: 'utf8' }).stdout.trim()
  if (value && value !== 'null' && value !== 'undefined') env[`npm_config_${name}`] = value
}

let failures = 0
const check = (title, ok, output = '') => {
  console.log(`${ok ? '✓' : '✗'} fresh clone: ${title}`)
  if (ok) return
  failures += 1
  console.log(output.slice(-4000))
}

try {
  const cloned = spawnSync('git', ['clone', '--quiet', root, clone], { encoding: 'utf8' })
  check('clone', cloned.status === 0, cloned.stderr)
  if (cloned.status === 0) await tryStart()
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 3 })
}
process.exitCode = failures === 0 ? 0 : 1

async function tryStart() {
  const server = spawn('npm', ['start', '--silent'], {
    cwd: clone,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  const started = new Promise((resolve) => {
    const read = (chunk) => {
      printed += chunk
      if (printed.includes('Stop with Ctrl+C')) resolve(true)
    }
    server.stdout.on('data', read)
    server.stderr.on('data', read)
    server.on('exit', () => resolve(false))
    setTimeout(() => resolve(false), 600_000).unref()
  })
  const ready = await started
  check('npm start', ready, printed)
  if (ready) for (const [title, line, expected] of pasteLines(printed)) paste(title, line, expected)
  if (server.exitCode === null) process.kill(-server.pid, 'SIGTERM')
}

/** Finds the commands in the welcome text. For each command, also returns text that must appear in its output. */
function pasteLines(text) {
  const after = text.slice(text.indexOf('Paste into another shell:'))
  const blocks = after.split('\n\n').map((block) => block.trim())
  const starting = (start) =>
    blocks.find((block) => block.startsWith(start)) ?? `echo "no line starts with ${start}"; false`
  const address = /Documentation\s+(\S+)/.exec(text)?.[1]
  return [
    ['the documentation', `curl -sS --fail ${address}`, '<html'],
    ['the curl line', starting('curl'), '"totalCount"'],
    ['the client program', blocks.find((block) => block.includes('createClient')) ?? 'false', 'OPEN'],
    // Run only a few checks, because `test/contract-server.test.ts` runs all of them.
    [
      'the conformance command',
      `${blocks.find((block) => block.includes('contract run')) ?? 'false'} --smoke`,
      '',
    ],
  ]
}

function paste(title, line, expected) {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', line], {
    cwd: home,
    env,
    encoding: 'utf8',
    timeout: 600_000,
  })
  check(title, status === 0 && stdout.includes(expected), `${line}\n${stdout}${stderr}`)
}
