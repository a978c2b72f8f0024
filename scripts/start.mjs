// `npm start`: the API of the demo organisation with its documentation, and lines to paste that use it.
// `npm start -- --port 9000` passes options on to the server; see packages/server/README.md for all of them.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { splitFlags, whereDataStays } from './start-options.mjs'
import { build, install, root, step } from './steps.mjs'

for (const [title, run] of [
  ['Install the dependencies', install],
  ['Build what changed', build],
])
  if (!step(title, run).ok) process.exit(1)

const args = splitFlags(process.argv.slice(2))
const given = (flag) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined)
const host = given('--host') ?? '127.0.0.1'
const port = given('--port') ?? String(await freePort(8080))
const controlPort = given('--control-port') ?? String(await freePort(Number(port) + 1))
const database = given('--database') ?? join(root, '.svc-admin/demo.db')
const site = join(root, 'packages/docs/dist/site')
mkdirSync(join(root, '.svc-admin'), { recursive: true })

const defaults = [
  ['--host', host],
  ['--port', port],
  ['--control-port', controlPort],
  ['--database', database],
  ['--log-level', 'warn'],
  ['--sandbox'],
  ['--seed-demo'],
  ...(existsSync(site) ? [['--docs', site]] : []),
].filter(([flag]) => !args.includes(flag))

const server = spawn(
  process.execPath,
  [join(root, 'packages/server/bin/svc-admin-server.js'), ...defaults.flat(), ...args],
  {
    cwd: root,
    stdio: 'inherit',
  },
)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal))
server.on('exit', (code, signal) => process.exit(signal ? 0 : (code ?? 1)))

const base = `http://${host}:${port}`
await untilReady(`${base}/readyz`)
welcome()

/** The first free port from `first` on, so that a second `npm start` does not fail. */
async function freePort(first) {
  for (let candidate = first; candidate < first + 50; candidate += 1)
    if (await isFree(candidate)) return candidate
  throw new Error(`No port from ${first} to ${first + 49} is free. Name one: npm start -- --port 9000`)
}

function isFree(candidate) {
  return new Promise((resolve) => {
    const probe = createServer()
      .once('error', () => resolve(false))
      .once('listening', () => probe.close(() => resolve(true)))
    probe.listen(candidate, host)
  })
}

async function untilReady(url) {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const ready = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  console.error(`The server did not become ready at ${url}.`)
  server.kill()
  process.exit(1)
}

function welcome() {
  const demo = JSON.parse(readFileSync(join(root, 'spec/dist/demo.json'), 'utf8'))
  const { versions } = JSON.parse(readFileSync(join(root, 'spec/dist/facts.json'), 'utf8'))
  const version = versions.at(-1).id
  const project = demo.projects[0]
  const owner = ({ roles }) =>
    roles.some(({ role, orgId }) => role === 'ORGANIZATION_OWNER' && orgId === project.orgId)
  const key = demo.apiKeys.find(owner)
  const account = demo.serviceAccounts.find(owner)
  console.log(`
Documentation   ${base}/
API             ${base}/api/svc/v2  (v1.0: ${base}/api/svc/v1.0)
Control         http://127.0.0.1:${controlPort}
Digest          ${key.publicKey}:${key.privateKey}
Service account ${account.clientId}:${account.clientSecret}
Project         ${project.id}

Paste into another shell:

curl --digest -u ${key.publicKey}:${key.privateKey} \\
  -H 'Accept: application/vnd.svc.${version}+json' \\
  '${base}/api/svc/v2/groups/${project.id}/alerts?pretty=true'

cd '${root}' && node --input-type=module -e "
import { createClient } from '@svc-admin/client'
const credentials = { clientId: '${account.clientId}', clientSecret: '${account.clientSecret}' }
const client = createClient({ baseUrl: '${base}', credentials, version: '${version}' })
const alerts = await client.listAlerts({ groupId: '${project.id}' })
console.log(alerts.totalCount, alerts.results.map(({ id, status }) => id + ' ' + status))"

cd '${root}' && npx contract run --base-url ${base} --control http://127.0.0.1:${controlPort}

Stop with Ctrl+C. ${whereDataStays(database)}`)
}
