/**
 * Checks that the requirements and documents cover the specification source completely: every index entry has a
 * requirement, every requirement has a source, and every fact has a requirement. Also checks that the documents agree
 * with the index.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { flagsOf } from '../../scripts/flags.ts'
import { root as ownRoot } from '../build/read-yaml.ts'
import { sourcesFrom } from '../lint/version-sources.ts'
import { loadFacts, type OpenApiDocument } from '../src/index.ts'
import { readDocument } from '../src/read-document.ts'
import { decisionsPage } from './decisions.ts'
import { withSource } from './fact-places.ts'
import { formatIds } from './ids.ts'
import { problemLists } from './lists.ts'
import { decisionsFile, idsFile, readIds, readLedger } from './read.ts'
import { reportText } from './report.ts'

const values = flagsOf('npm run ledger -w spec', {
  root: {
    type: 'string',
    default: ownRoot,
    takes: '<folder>',
    says: 'Check this folder, which must have the same structure as a built spec/ folder',
  },
  json: { type: 'boolean', says: 'Print the result as JSON' },
  record: { type: 'boolean', says: 'Update ids.txt and docs/decisions.md' },
})

const ledger = readLedger(values.root)
if (values.record) {
  writeFileSync(idsFile, formatIds(ledger.requirements, ledger.ids))
  ledger.ids = readIds()
  writeFileSync(decisionsFile, decisionsPage(ledger.index))
}
const { versions } = loadFacts()
const from = process.env.INIT_CWD ?? process.cwd()
const sources = sourcesFrom(from, versions, values.root)
const documents = new Map<string, OpenApiDocument>()
const lists = problemLists(ledger).map((list) => ({
  ...list,
  problems: list.problems.map((problem) => withSource(problem, sources, documentOf)),
}))
console.log(values.json ? JSON.stringify(lists, null, 2) : reportText(lists))
process.exitCode = lists.every(({ problems }) => problems.length === 0) ? 0 : 1

function documentOf(id: string): OpenApiDocument {
  const known = documents.get(id) ?? readDocument(pathToFileURL(join(values.root, 'dist/')), id)
  documents.set(id, known)
  return known
}
