import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { flagsOf } from '../../scripts/flags.ts'
import { isUpToDate } from '../build/fingerprint.ts'
import { root } from '../build/read-yaml.ts'
import type { Facts } from '../src/model.ts'
import { readDocument } from '../src/read-document.ts'
import { lint } from './lint.ts'
import { report } from './report.ts'
import { repositoryRuleset } from './spectral.ts'
import { sourcesFrom } from './version-sources.ts'

const own = fileURLToPath(new URL('../dist', import.meta.url))
const values = flagsOf('npm run lint -w spec', {
  dist: { type: 'string', default: own, takes: '<folder>', says: 'Lint the bundles in this folder' },
})
// npm runs scripts in the workspace's folder, but users give paths relative to the folder where they started npm.
const from = process.env.INIT_CWD ?? process.cwd()
const dist = resolve(from, values.dist)
const read = (name: string) => JSON.parse(readFileSync(join(dist, name), 'utf8'))

if (dist === own && !isUpToDate(dist)) build()
if (process.exitCode === undefined)
  if (existsSync(join(dist, 'facts.json'))) await main()
  else {
    console.error(`No bundles found in ${dist}. Run npm run build -w spec.`)
    process.exitCode = 2
  }

function build(): void {
  console.error('The bundles are out of date. Building …')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const { status } = spawnSync(npm, ['run', 'build', '--silent'], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 2
}

async function main(): Promise<void> {
  const started = performance.now()
  const facts: Facts = read('facts.json')
  const folder = pathToFileURL(`${dist}/`)
  const files = facts.versions.map((version) => ({
    version,
    file: join(dist, `${version.id}.json`),
    name: relative(from, join(dist, `${version.id}.json`)),
  }))
  const documents = new Map<string, unknown>(
    files.map(({ name, version }) => [name, readDocument(folder, version.id)]),
  )
  const findings = await lint(documents, {
    ruleset: await repositoryRuleset(),
    files: new Map(files.map(({ name, file }) => [name, file])),
  })
  const sources = sourcesFrom(from, facts.versions)
  const versions = new Map(files.map(({ name, version }) => [name, version.id]))
  const sourced = findings.map((finding) => {
    const source = sources.ofVersion(versions.get(finding.document) ?? '', finding.path)
    return { ...finding, ...(source ? { source } : {}) }
  })
  console.log(report(sourced, (performance.now() - started) / 1000, documents.size))
  process.exitCode = findings.length > 0 ? 1 : 0
}
