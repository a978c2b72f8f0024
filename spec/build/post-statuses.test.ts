import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { loadDocument, loadFacts } from '../src/index.ts'

const record = readFileSync(
  new URL('../../docs/adr/0013-post-operations-that-return-200.md', import.meta.url),
  'utf8',
)

it('every POST operation that returns 200 is in the decision record, and no other', () => {
  const operations = loadFacts().versions.flatMap(({ id }) =>
    Object.values(loadDocument(id).paths).flatMap(({ post }) => post ?? []),
  )
  const inDocuments = operations.filter(({ responses }) => responses['200']).map((post) => post.operationId)
  const inRecord = [...record.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  expect(inRecord.toSorted()).toEqual([...new Set(inDocuments)].toSorted())
})
