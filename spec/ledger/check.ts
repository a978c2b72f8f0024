// The ledger: nothing that the source says is lost. Every entry of the index is accounted for by a requirement, every
// requirement has a source, every fact of the documents a requirement, and the documents say what the index says.
// Usage: tsx ledger/check.ts [--root <a built folder like spec/>] [--json] [--record]
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { root as ownRoot } from '../build/sources.ts'
import { decisionsPage } from './decisions.ts'
import { formatIds } from './ids.ts'
import { problemLists } from './lists.ts'
import { decisionsFile, idsFile, readIds, readLedger } from './read.ts'
import { reportText } from './report.ts'

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: ownRoot },
    json: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
})

const ledger = readLedger(values.root)
if (values.record) {
  writeFileSync(idsFile, formatIds(ledger.requirements, ledger.ids))
  ledger.ids = readIds()
  writeFileSync(decisionsFile, decisionsPage(ledger.index))
}
const lists = problemLists(ledger)
console.log(values.json ? JSON.stringify(lists, null, 2) : reportText(lists))
process.exitCode = lists.every(({ problems }) => problems.length === 0) ? 0 : 1
