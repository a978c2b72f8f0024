// Generates clients with popular generators, compiles the clients, and runs programs that call the reference server
// with them. To run this script, use `npm run portable -w spec -- [--only <name>] [--bundle <file>]`.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { flagsOf } from '../../scripts/flags.ts'
import { loadFacts, type OpenApiDocument } from '../src/index.ts'
import { versionNumberOf } from '../src/version-number.ts'
import { type Generator, isInstalled } from './generator.ts'
import { goGenerators } from './go.ts'
import { npmGenerators } from './npm.ts'
import { openapiGenerators } from './openapi-generator.ts'
import { pythonGenerators } from './python.ts'
import { type Row, table } from './report.ts'
import { startReferenceServer } from './server.ts'
import { tryGenerator } from './try-generator.ts'

const values = flagsOf('npm run portable -w spec', {
  only: {
    type: 'string',
    multiple: true,
    takes: '<name>',
    says: 'Run only generators with this text in their name. "npm" runs all npm generators',
  },
  bundle: {
    type: 'string',
    takes: '<file>',
    says: 'Use this document instead of the document for the newest version',
  },
})
const newest = loadFacts().versions.at(-1)
const own = fileURLToPath(new URL(`../dist/${newest?.id}.json`, import.meta.url))
const bundle = resolve(process.env.INIT_CWD ?? '.', values.bundle ?? own)
const document: OpenApiDocument = JSON.parse(readFileSync(bundle, 'utf8'))
const version = loadFacts().versions.find(({ id }) => versionNumberOf(id) === document.info.version) ?? newest
// The reference server uses the same path prefix as the server in the document.
const prefix = new URL(document.servers[0]?.url ?? '').pathname.replace(/\/$/, '')

const chosen = [...openapiGenerators, ...goGenerators, ...pythonGenerators, ...npmGenerators].filter(isChosen)
const cache = join(tmpdir(), 'svc-admin-portable-cache')
mkdirSync(cache, { recursive: true })
const work = mkdtempSync(join(tmpdir(), 'svc-admin-portable-'))
const rows: Row[] = []
try {
  for (const generator of chosen) rows.push(await rowOf(generator))
} finally {
  rmSync(work, { recursive: true, force: true })
}
console.log(table(rows))
process.exitCode = rows.some(({ problems }) => problems.length > 0) ? 1 : 0

function isChosen(generator: Generator): boolean {
  const { only } = values
  if (!only) return true
  return only.some((part) =>
    part === 'npm' ? npmGenerators.includes(generator) : generator.name.includes(part),
  )
}

async function rowOf(generator: Generator): Promise<Row> {
  const missing = generator.needs.filter((command) => !isInstalled(command))
  if (missing.length > 0) return { name: generator.name, results: [], problems: [], missing }
  console.error(`${generator.name} …`)
  const folder = join(work, generator.name.replaceAll(/\W+/g, '-'))
  mkdirSync(folder)
  // Each client gets its own server, because a cluster can't take two snapshots at the same time.
  const server = await startReferenceServer()
  const address = { SVC_BASE_URL: server.url + prefix, SVC_MEDIA_TYPE: version?.mediaType ?? '' }
  try {
    return await tryGenerator(generator, { bundle, folder, cache }, { ...server.env, ...address })
  } finally {
    server.stop()
  }
}
