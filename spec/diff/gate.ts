// Ensures that released versions don't change while they are available.
// The baseline is a release tag, or the record in this folder (docs/adr/0006 and 0009).
// To run this script, use `npm run gate -w spec -- [--baseline <commit>] [--record <name of the release>]`.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { flagsOf } from '../../scripts/flags.ts'
import { sourcesFrom } from '../lint/version-sources.ts'
import { pathOf } from '../rules/read/json.ts'
import { baselineOf, newestBaseline, writeRecord } from './baseline.ts'
import { bundlesOfCommit, readBundles } from './commit.ts'
import { exemptionsIn, faultsOf, withoutEntries } from './exemptions.ts'
import { classifyReleases } from './releases.ts'

const exemptionsFile = new URL('exemptions.yaml', import.meta.url)
const values = flagsOf('npm run gate -w spec', {
  baseline: {
    type: 'string',
    takes: '<commit>',
    says: 'Compare with this commit instead of the newest release',
  },
  record: { type: 'string', takes: '<version>', says: 'Record the current documents as this release' },
})
const built = readBundles(fileURLToPath(new URL('../dist', import.meta.url)))
const faults = check()
// Don't record a rejected release, because later comparisons would then no longer show its breaking changes.
if (values.record && faults === 0) {
  writeRecord(baselineOf(values.record, built))
  // The record now contains the exempt changes, so the next release doesn't need these exemptions.
  writeFileSync(exemptionsFile, withoutEntries(readFileSync(exemptionsFile, 'utf8')))
}
process.exitCode = faults === 0 ? 0 : 1

function check(): number {
  const baseline = values.baseline
    ? baselineOf(values.baseline, bundlesOfCommit(values.baseline))
    : newestBaseline()
  if (!baseline) {
    console.log(
      'No release to compare with. The history of HEAD has no spec-v* tag, and no release is recorded.',
    )
    return 0
  }
  const today = new Date().toISOString().slice(0, 10)
  const changes = classifyReleases(baseline.documents, built.documents, {
    today,
    includes: Object.fromEntries(Object.entries(built.facts.roles).map(([id, role]) => [id, role.includes])),
    sunsets: baseline.sunsets,
  })
  const exemptions = exemptionsIn(parse(readFileSync(exemptionsFile, 'utf8')))
  const sources = sourcesFrom(process.env.INIT_CWD ?? process.cwd(), built.facts.versions)
  const found = faultsOf(changes, exemptions, today, (version, { location }) =>
    sources.ofVersion(version, pathOf(location)),
  )
  for (const fault of found) console.error(fault)
  if (found.length > 0)
    console.error('Undo the change, or add it to spec/diff/exemptions.yaml with a reason and an expiry date.')
  console.log(`Compared with ${baseline.name}: ${found.length} problems, ${exemptions.length} exemptions.`)
  return found.length
}
