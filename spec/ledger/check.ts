// The ledger: nothing that the source says is lost. Every entry of the index is accounted for by a requirement, every
// requirement has a source, every fact of the documents a requirement, and the documents say what the index says.
import { writeFileSync } from 'node:fs'
import { flagsOf } from '../../scripts/flags.ts'
import { root as ownRoot } from '../build/sources.ts'
import { decisionsPage } from './decisions.ts'
import { formatIds } from './ids.ts'
import { problemLists } from './lists.ts'
import { decisionsFile, idsFile, readIds, readLedger } from './read.ts'
import { reportText } from './report.ts'

const values = flagsOf('npm run ledger -w spec', {
  root: { type: 'string', default: ownRoot, takes: '<folder>', says: 'a built folder like spec/' },
  json: { type: 'boolean', says: 'for programs' },
  record: { type: 'boolean', says: 'keep the ids, and the page of decisions' },
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
