import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { classify } from './classify.ts'
import { type Bundles, bundlesOfCommit, git, readBundles } from './commit.ts'
import { classifyReleases } from './releases.ts'
import { type Comparison, type Format, render } from './render.ts'

/** Thrown for invalid arguments. The message explains what is wrong. */
class InputError extends Error {}

const usage = `Usage: npm run diff -w spec -- BEFORE [AFTER] [--format text|markdown|json] [--output FILE]

BEFORE and AFTER can be a version (2023-01-01, v1.0), a generation (v2 means its newest
version), a commit (HEAD~1, main), or a version in a commit (HEAD~1:2024-05-30).
If BEFORE is a commit and AFTER is missing, the commit is compared with spec/dist.
--help prints this help.`

const built = readBundles(fileURLToPath(new URL('../dist', import.meta.url)))

function main(): void {
  const { values, positionals } = parseArguments()
  if (values.help) {
    console.log(usage)
    return
  }
  const [before, after, ...more] = positionals
  if (before === undefined) throw new InputError(`BEFORE is missing.\n\n${usage}`)
  if (more.length > 0) throw new InputError(`Unexpected argument: ${more.join(' ')}.\n\n${usage}`)
  const { format } = values
  if (!isFormat(format))
    throw new InputError(`--format must be text, markdown or json, but was ${format}.\n\n${usage}`)
  const output = render(compare(before, after), format)
  if (values.output) writeFileSync(resolve(process.env.INIT_CWD ?? '.', values.output), output)
  else process.stdout.write(output)
}

function parseArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        format: { type: 'string', default: 'text' },
        output: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    throw new InputError(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  }
}

function isFormat(format: string): format is Format {
  return ['text', 'markdown', 'json'].includes(format)
}

function compare(before: string, after: string | undefined): Comparison {
  const [older, newer] = [sideOf(before), after === undefined ? { bundles: built } : sideOf(after)]
  // Without this check, the version would be compared with itself.
  if (after === undefined && older.bundles === built)
    throw new InputError(`AFTER is missing. Pass the version to compare with ${before}.\n\n${usage}`)
  const { facts, requirements } = newer.bundles
  const includes = Object.fromEntries(Object.entries(facts.roles).map(([id, role]) => [id, role.includes]))
  const names = { before, after: after ?? 'spec/dist' }
  const version = older.version ?? newer.version
  if (version === undefined)
    return {
      ...names,
      changes: classifyReleases(older.bundles.documents, newer.bundles.documents, { includes }),
    }
  const documents = [older, newer].map((side) => side.bundles.documents.get(side.version ?? version))
  const [from, to] = [older.version ?? version, newer.version ?? version]
  const behavior = { requirements, versions: facts.versions, from, to }
  const changes = classify(documents[0], documents[1], { includes, behavior })
  return { ...names, changes: new Map(changes.length > 0 ? [['', changes]] : []) }
}

/** Finds what an argument refers to: a version in the current bundles, a commit, or a version in a commit. */
function sideOf(name: string): { bundles: Bundles; version?: string } {
  const version = versionOf(name, built)
  if (version) return { bundles: built, version }
  const [commit = '', inCommit] = name.split(':')
  const bundles = bundlesOfCommit(commitOf(commit))
  if (inCommit === undefined) return { bundles }
  const found = versionOf(inCommit, bundles)
  if (!found) throw new InputError(`${commit} has no version ${inCommit}. ${versionsOf(bundles)}`)
  return { bundles, version: found }
}

function commitOf(name: string): string {
  try {
    return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`)
  } catch {
    throw new InputError(`${name} is neither a version nor a commit. ${versionsOf(built)}`)
  }
}

const versionsOf = ({ facts }: Bundles): string =>
  `Versions: ${facts.versions.map(({ id }) => id).join(', ')}.`

/**
 * Returns the ID of the version with this name. In generation v1.0, the only version has the same name as the
 * generation.
 */
function versionOf(name: string, { facts }: Bundles): string | undefined {
  const byId = facts.versions.find(({ id }) => id === name)
  return (byId ?? facts.versions.findLast(({ generation }) => generation === name))?.id
}

try {
  main()
} catch (error) {
  if (!(error instanceof InputError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
