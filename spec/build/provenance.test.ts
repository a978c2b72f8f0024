import { beforeAll, describe, expect, test } from 'vitest'
import type { OpenApiDocument } from '../src/model.ts'
import { applyOverlay } from '../src/overlay.ts'
import { bundle } from './bundle.ts'
import { splitProvenance } from './provenance.ts'
import { readFacts } from './sources.ts'

const { versions } = readFacts()
let documents = new Map<string, OpenApiDocument>()
beforeAll(async () => {
  documents = await bundle(versions)
}, 60_000)

describe.each(versions)('the overlay of $id', ({ id }) => {
  test('restores the complete document with applyOverlay', () => {
    const { document, overlay } = splitOf(id)
    expect(applyOverlay(document, overlay)).toEqual(documents.get(id))
  })

  test('contains the provenance, which the published document lacks', () => {
    const { document, overlay } = splitOf(id)
    expect(JSON.stringify(document)).not.toMatch(/"x-(strength|source|decided)"/)
    const added = new Set(overlay.actions.flatMap(({ update }) => Object.keys(update)))
    for (const name of ['x-strength', 'x-source', 'x-decided']) expect(added).toContain(name)
  })
})

function splitOf(id: string) {
  const complete = documents.get(id)
  if (!complete) throw new Error(`No document for version ${id}.`)
  return splitProvenance(complete, id)
}

test('an overlay rejects a document that it does not extend', () => {
  const actions = [{ target: "$.paths['/a'].get", update: { 'x-strength': 'open' } }]
  const overlay = {
    overlay: '1.0.0' as const,
    info: { title: 'A', version: '1' },
    extends: 'a.json',
    actions,
  }
  expect(() => applyOverlay({ paths: {} }, overlay)).toThrow("The document has no $.paths['/a'].get.")
})
