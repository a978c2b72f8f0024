import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { asNode, asText } from '../rules/read/json.ts'
import { bundlesOfCommit, git, readBundles } from './commit.ts'
import { type Exemption, faultsOf } from './exemptions.ts'
import { classifyReleases } from './releases.ts'

// Keeps the promise of a released date: what it said when it was released, it says as long as it is served.
// The baseline is the newest tag spec-v* that HEAD descends from (docs/adr/0006-a-release-is-a-tag.md).

const { values } = parseArgs({ options: { baseline: { type: 'string' } } })
const baseline = values.baseline ?? newestRelease()

if (baseline === undefined) console.log('No tag spec-v* is in the history of HEAD: nothing was released yet.')
else {
  const released = bundlesOfCommit(baseline)
  const built = readBundles(new URL('../dist', import.meta.url).pathname)
  const today = new Date().toISOString().slice(0, 10)
  const changes = classifyReleases(released.documents, built.documents, {
    today,
    includes: Object.fromEntries(Object.entries(built.facts.roles).map(([id, role]) => [id, role.includes])),
    sunsets: Object.fromEntries(
      released.facts.versions
        .map((version) => [version.id, asText(asNode(version).sunset)])
        .filter(([, day]) => day),
    ),
  })
  const exemptions: Exemption[] = parse(readFileSync(new URL('exemptions.yaml', import.meta.url), 'utf8'))
  const faults = faultsOf(changes, exemptions, today)
  for (const fault of faults) console.error(fault)
  console.log(`Compared with ${baseline}: ${faults.length} faults, ${exemptions.length} exemptions.`)
  process.exitCode = faults.length > 0 ? 1 : 0
}

function newestRelease(): string | undefined {
  try {
    return git('describe', '--tags', '--abbrev=0', '--match', 'spec-v*')
  } catch {
    return undefined
  }
}
