/**
 * Starts the server with demo settings, and prints a welcome text when it is ready. `npm start` runs this script after
 * the build.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { listeningOf, namesSet, ownerOf, serverProgram, welcomeText } from './start-options.mjs'
import { root } from './steps.mjs'

const { resolveOptions, variableOf } = await import(pathToFileURL(serverProgram.options).href)
const args = process.argv.slice(2)
const options = settled()
const server = spawn(process.execPath, [serverProgram.command, ...args], {
  cwd: root,
  env: { ...(options ? await defaults(options) : {}), ...process.env },
  stdio: ['inherit', 'pipe', 'inherit'],
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal))
server.on('close', (code, signal) => process.exit(signal ? 0 : (code ?? 1)))
// If the program that reads the output closes the pipe, keep the server running.
process.stdout.on('error', () => {})
let isWelcome = false
createInterface({ input: server.stdout }).on('line', (line) => {
  const listening = isWelcome ? undefined : listeningOf(line)
  // The log line is a long JSON object. In a terminal, print the welcome text instead.
  if (!listening || !process.stdout.isTTY) console.log(line)
  if (!listening) return
  isWelcome = true
  void welcome(listening)
})
if (options?.logLevel === 'silent')
  console.log('\nThe log level is silent, so the server does not log its address. Stop with Ctrl+C.')

/** Returns the options, or undefined if they are invalid. The server itself reports invalid options. */
function settled() {
  try {
    return resolveOptions({ argv: args, env: process.env })
  } catch {
    return undefined
  }
}

/** Returns environment variables that set the demo's defaults, except for options that the user has set. */
async function defaults({ host, ...chosen }) {
  const set = namesSet(args, process.env, { root, variableOf })
  const port = set.has('port') ? chosen.port : await freePort(8080, host)
  const site = join(root, 'packages/docs/dist/site')
  mkdirSync(join(root, '.svc-admin'), { recursive: true })
  const wanted = {
    port,
    controlPort: port === 0 ? 0 : await freePort(port + 1, '127.0.0.1'),
    database: join(root, '.svc-admin/demo.db'),
    logLevel: 'warn',
    sandbox: true,
    seedDemo: true,
    ...(existsSync(site) ? { docs: site } : {}),
  }
  return Object.fromEntries(
    Object.entries(wanted)
      .filter(([name]) => !set.has(name))
      .map(([name, value]) => [variableOf(name), String(value)]),
  )
}

/**
 * Returns the first free port, starting with `first`, so that `npm start` can run twice at the same time. If no port is
 * free, returns 0, which selects any port.
 */
async function freePort(first, host) {
  for (let candidate = first; candidate < Math.min(first + 50, 65_536); candidate += 1)
    if (await isFree(candidate, host)) return candidate
  return 0
}

/** Returns whether a port is free. The server itself reports all other problems with the address. */
function isFree(candidate, host) {
  return new Promise((resolve) => {
    const probe = createServer()
      .once('error', ({ code }) => resolve(code !== 'EADDRINUSE'))
      .once('listening', () => probe.close(() => resolve(true)))
    probe.listen(candidate, host)
  })
}

async function welcome(listening) {
  const { versions } = JSON.parse(readFileSync(join(root, 'spec/dist/facts.json'), 'utf8'))
  const owner = ownerOf(JSON.parse(readFileSync(join(root, 'spec/dist/demo.json'), 'utf8')))
  const isThere = await isKnown(listening.url, owner.account)
  console.log(
    welcomeText({ listening, root, version: versions.at(-1).id, owner: isThere ? owner : undefined }),
  )
}

/**
 * Returns whether the demo account exists. The account doesn't exist if the database is empty or contains other data.
 */
async function isKnown(url, { clientId, clientSecret }) {
  const response = await fetch(`${url}/api/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  }).catch(() => undefined)
  return response?.ok === true
}
