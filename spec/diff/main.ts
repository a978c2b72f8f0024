import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { classify } from './classify.ts'
import { type Bundles, bundlesOfCommit, git, readBundles } from './commit.ts'
import { classifyReleases } from './releases.ts'
import { type Comparison, type Format, render } from './render.ts'

const usage = `Usage: npm run diff -w spec -- BEFORE [AFTER] [--format text|markdown|json] [--output FILE]

BEFORE and AFTER are versions (2023-01-01, v1.0), generations (v2, which is its newest
version), commits (HEAD~1, main), or a version in a commit (HEAD~1:2024-05-30).
Without AFTER, a commit is compared with the bundles in spec/dist.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { format: { type: 'string', default: 'text' }, output: { type: 'string' } },
})
const [before, after] = positionals
const built = readBundles(new URL('../dist', import.meta.url).pathname)

if (before === undefined || positionals.length > 2 || !isFormat(values.format)) {
  console.error(usage)
  process.exitCode = 2
} else {
  const output = render(compare(before, after), values.format)
  if (values.output) writeFileSync(resolve(process.env.INIT_CWD ?? '.', values.output), output)
  else process.stdout.write(output)
}

function isFormat(format: string): format is Format {
  return ['text', 'markdown', 'json'].includes(format)
}

function compare(before: string, after: string | undefined): Comparison {
  const [older, newer] = [sideOf(before), after === undefined ? { bundles: built } : sideOf(after)]
  const { facts } = newer.bundles
  const includes = Object.fromEntries(Object.entries(facts.roles).map(([id, role]) => [id, role.includes]))
  const names = { before, after: after ?? 'spec/dist' }
  const version = older.version ?? newer.version
  if (version === undefined)
    return {
      ...names,
      changes: classifyReleases(older.bundles.documents, newer.bundles.documents, { includes }),
    }
  const documents = [older, newer].map((side) => side.bundles.documents.get(side.version ?? version))
  const changes = classify(documents[0], documents[1], { includes })
  return { ...names, changes: new Map(changes.length > 0 ? [['', changes]] : []) }
}

/** What a word of the command names: a version of the bundles, or a commit, or a version in one. */
function sideOf(name: string): { bundles: Bundles; version?: string } {
  const version = versionOf(name, built)
  if (version) return { bundles: built, version }
  const [commit = '', inCommit] = name.split(':')
  const bundles = bundlesOfCommit(git('rev-parse', '--verify', '--quiet', `${commit}^{commit}`))
  if (inCommit === undefined) return { bundles }
  const found = versionOf(inCommit, bundles)
  if (!found) throw new Error(`${commit} has no version ${inCommit}.`)
  return { bundles, version: found }
}

/** Generation v1.0 has one version, which is called the same. */
function versionOf(name: string, { facts }: Bundles): string | undefined {
  const byId = facts.versions.find(({ id }) => id === name)
  return (byId ?? facts.versions.findLast(({ generation }) => generation === name))?.id
}
