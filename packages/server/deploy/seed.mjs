// Puts organisations, projects, clusters and credentials of a JSON file into the database that the environment names,
// since no operation of the API makes the first of them:  node packages/server/deploy/seed.mjs < organisation.json
// The file is the body of `POST /seed` of the control interface, which is served to this process alone meanwhile. A
// running server on the same PostgreSQL goes on; one on the same SQLite file has to be stopped.
import { readFileSync } from 'node:fs'
import { resolveOptions, startServer } from '@svc-admin/server'

const { database } = resolveOptions({ env: process.env })
const server = await startServer({ database, sandbox: true, seedDemo: false, webhooks: false })
try {
  const answer = await fetch(`${server.controlUrl}/seed`, { method: 'POST', body: readFileSync(0) })
  if (!answer.ok) throw new Error(await answer.text())
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  await server.stop()
}
