// Keeps the promise of a released date: what it said when it was released, it says as long as it is served. What was
// released is told by a tag or by the record beside this file (docs/adr/0006 and 0009).
// Usage: npm run gate -w spec -- [--baseline <commit>] [--record <name of the release>]
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { flagsOf } from '../../scripts/flags.ts'
import { baselineOf, newestBaseline, writeRecord } from './baseline.ts'
import { bundlesOfCommit, readBundles } from './commit.ts'
import { exemptionsIn, faultsOf, withoutEntries } from './exemptions.ts'
import { classifyReleases } from './releases.ts'

const exemptionsFile = new URL('exemptions.yaml', import.meta.url)
const values = flagsOf('npm run gate -w spec', {
  baseline: {
    type: 'string',
    takes: '<commit>',
    says: 'what is compared with, instead of the newest release',
  },
  record: { type: 'string', takes: '<version>', says: 'keep these documents as those of a release' },
})
const built = readBundles(fileURLToPath(new URL('../dist', import.meta.url)))
const faults = check()
// A record that hid a break would be worth nothing, so a release that breaks a promise cannot be recorded.
if (values.record && faults === 0) {
  writeRecord(baselineOf(values.record, built))
  // What they let through is promised from now on.
  writeFileSync(exemptionsFile, withoutEntries(readFileSync(exemptionsFile, 'utf8')))
}
process.exitCode = faults === 0 ? 0 : 1

function check(): number {
  const baseline = values.baseline
    ? baselineOf(values.baseline, bundlesOfCommit(values.baseline))
    : newestBaseline()
  if (!baseline) {
    console.log('There is no tag spec-v* in the history of HEAD and no record: nothing was released yet.')
    return 0
  }
  const today = new Date().toISOString().slice(0, 10)
  const changes = classifyReleases(baseline.documents, built.documents, {
    today,
    includes: Object.fromEntries(Object.entries(built.facts.roles).map(([id, role]) => [id, role.includes])),
    sunsets: baseline.sunsets,
  })
  const exemptions = exemptionsIn(parse(readFileSync(exemptionsFile, 'utf8')))
  const found = faultsOf(changes, exemptions, today)
  for (const fault of found) console.error(fault)
  if (found.length > 0)
    console.error(
      'A change that has to be goes into spec/diff/exemptions.yaml, with a reason and a last day.',
    )
  console.log(`Compared with ${baseline.name}: ${found.length} faults, ${exemptions.length} exemptions.`)
  return found.length
}
