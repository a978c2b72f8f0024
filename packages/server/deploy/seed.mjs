// Puts organisations, projects, clusters and credentials of a JSON file into the database that the environment names,
// since no operation of the API makes the first of them:  node packages/server/deploy/seed.mjs < organisation.json
// The file is the body of `POST /seed` of the control interface, which is served to this process alone meanwhile. A
// running server on the same PostgreSQL goes on; one on the same SQLite file has to be stopped.
import { readFileSync } from 'node:fs'
import { resolveOptions, startServer } from '@svc-admin/server'

const usage = `node packages/server/deploy/seed.mjs < organisation.json

Puts the organisations, projects, clusters and credentials of a file into the
database that SVC_ADMIN_DATABASE names. packages/server/README.md shows a file.`

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

async function main([flag]) {
  if (flag === '--help' || flag === '-h') return console.log(usage)
  if (flag !== undefined) throw new Error(`${flag}: nothing was expected there.\n\n${usage}`)
  const content = read()
  const { database } = resolveOptions({ env: process.env })
  const server = await startServer({ database, sandbox: true, seedDemo: false, webhooks: false })
  try {
    const answer = await fetch(`${server.controlUrl}/seed`, { method: 'POST', body: content.text })
    if (!answer.ok) throw new Error(await answer.text())
  } finally {
    await server.stop()
  }
  console.log(`Put into the database: ${content.counts.join(', ')}.`)
}

/** What is no file of a seed makes no database. */
function read() {
  const text = readFileSync(0, 'utf8')
  const counts = Object.entries(parsed(text)).map(
    ([name, items]) => `${Array.isArray(items) ? items.length : 0} ${name}`,
  )
  if (counts.length === 0) throw new Error(`There is nothing in it to put into a database.\n\n${usage}`)
  return { text, counts }
}

function parsed(text) {
  if (text.trim() === '') throw new Error(`A file was expected, and nothing came.\n\n${usage}`)
  try {
    return Object(JSON.parse(text))
  } catch ({ message }) {
    throw new Error(`The file is no JSON: ${message}`)
  }
}
