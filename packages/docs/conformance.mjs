/**
 * `npm run conformance -w packages/docs` tests the reference server with the conformance kit, and then builds the site
 * with the results. All options are passed to the build. The command writes `dist/report.json`. With `--smoke`, the
 * command tests each requirement only once, writes `dist/smoke.json` instead, and doesn't build the site. The build
 * reads `report.json` or, if there is none, `smoke.json`.
 */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('..', import.meta.url))
const out = join(packages, 'docs/dist')
mkdirSync(out, { recursive: true })
const isSmoke = process.argv.includes('--smoke')

const [port, controlPort] = [await freePort(), await freePort()]
const options = {
  host: '127.0.0.1',
  port,
  'control-port': controlPort,
  database: ':memory:',
  'log-level': 'silent',
}
const flags = [
  ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`]),
  '--sandbox',
  '--seed-demo',
]
const server = spawn(process.execPath, [join(packages, 'server/bin/svc-admin-server.js'), ...flags], {
  stdio: ['ignore', 'ignore', 'inherit'],
})
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    server.kill()
    process.exit(2)
  })
try {
  const address = `http://127.0.0.1:${port}`
  await untilReady(`${address}/readyz`)
  const command = ['run', '--base-url', address, '--control', `http://127.0.0.1:${controlPort}`]
  const report = ['--json', join(out, isSmoke ? 'smoke.json' : 'report.json')]
  const status = await run('contract/bin/contract.js', [
    ...command,
    ...report,
    ...(isSmoke ? ['--smoke'] : []),
  ])
  // Exit code 1 means that the kit found violations, which the pages should also show.
  const isTested = status === 0 || status === 1
  if (isTested && !isSmoke) await run('docs/build.mjs', process.argv.slice(2))
  // The server's own tests already fail on violations, so the documentation build doesn't need to fail.
  process.exitCode = isSmoke && isTested ? 0 : (status ?? 2)
} finally {
  server.kill()
}

/** Runs one of a package's scripts and returns the script's exit code. */
function run(script, args) {
  return new Promise((resolve) => {
    spawn(process.execPath, [join(packages, script), ...args], { stdio: 'inherit' }).on('exit', resolve)
  })
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address()
      probe.close(() => resolve(free))
    })
  })
}

async function untilReady(url) {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const ready = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`The server did not become ready at ${url}.`)
}
