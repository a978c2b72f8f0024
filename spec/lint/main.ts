import { existsSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { flagsOf } from '../../scripts/flags.ts'
import type { Facts } from '../src/model.ts'
import { lint } from './lint.ts'
import { report } from './report.ts'

const started = performance.now()
const values = flagsOf('npm run lint -w spec', {
  dist: {
    type: 'string',
    default: fileURLToPath(new URL('../dist', import.meta.url)),
    takes: '<folder>',
    says: 'folder of the bundles',
  },
})
// npm runs workspace scripts in the workspace folder. Paths are relative to the folder where npm was called.
const from = process.env.INIT_CWD ?? process.cwd()
const dist = resolve(from, values.dist)
const read = (name: string) => JSON.parse(readFileSync(join(dist, name), 'utf8'))

if (existsSync(join(dist, 'facts.json'))) await main()
else {
  console.error(`No bundles found in ${dist}. Run npm run build -w spec.`)
  process.exitCode = 2
}

async function main(): Promise<void> {
  const facts: Facts = read('facts.json')
  const files = facts.versions.map(
    ({ id }) => [relative(from, join(dist, `${id}.json`)), `${id}.json`] as const,
  )
  const documents = new Map<string, unknown>(files.map(([name, file]) => [name, read(file)]))
  const findings = await lint(documents, facts, {
    files: new Map(files.map(([name, file]) => [name, join(dist, file)])),
  })
  console.log(report(findings, (performance.now() - started) / 1000, documents.size))
  process.exitCode = findings.length > 0 ? 1 : 0
}
