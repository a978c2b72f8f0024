import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { type Baseline, isLater, newestBaseline, readRecord, writeRecord } from './baseline.ts'
import { classify } from './classify.ts'
import { faultsOf } from './exemptions.ts'
import { classifyReleases } from './releases.ts'
import { seeded, sidesOf } from './seeded-changes.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-admin-record-'))
const file = pathToFileURL(join(folder, 'baseline.json.br'))
const today = '2026-11-21'

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/**
 * A cache of records, by the text of their document. Most changes start from the same document, and
 * compression is slow.
 */
const records = new Map<string, Baseline>()

function recorded(document: unknown): Baseline {
  const text = JSON.stringify(document)
  let record = records.get(text)
  if (record) return record
  writeRecord({ name: 'spec 0.1.0', documents: new Map([['2023-01-01', document]]), sunsets: {} }, file)
  record = readRecord(file)
  if (!record) throw new Error('No record found.')
  records.set(text, record)
  return record
}

test.each(seeded.filter((row) => row.class === 'breaking'))('detects a breaking change: $change', (row) => {
  const [before, after] = sidesOf(row)
  const breaks = (old: unknown) =>
    classify(old, after, { today }).flatMap((change) => (change.class === 'breaking' ? [change.id] : []))
  expect(breaks(recorded(before).documents.get('2023-01-01'))).toEqual(breaks(before))
})

test('reports nothing for an unchanged document, and reports a breaking change', () => {
  const removal = seeded.find(({ rule }) => rule === 'operation-removed')
  if (!removal) throw new Error('No seeded change removes an operation.')
  const [before, after] = sidesOf(removal)
  const record = recorded(before)
  const faults = (document: unknown) =>
    faultsOf(classifyReleases(record.documents, new Map([['2023-01-01', document]]), { today }), [], today)
  expect(faults(before)).toEqual([])
  expect(faults(after)).toEqual([
    expect.stringMatching(/^2023-01-01 has a breaking change without an exemption: operation-removed/),
  ])
})

test('has a baseline of every document, but none without a record', () => {
  expect(readRecord(pathToFileURL(join(folder, 'nothing.json.br')))).toBeUndefined()
  expect([...(newestBaseline()?.documents.keys() ?? [])]).toEqual([
    'v1.0',
    '2023-01-01',
    '2024-05-30',
    '2024-08-05',
    '2025-03-12',
  ])
})

test.each([
  ['spec 0.2.0', 'spec-v0.1.0', true],
  ['spec 0.10.0', 'spec-v0.9.1', true],
  ['spec 0.1.0', 'spec-v0.1.0', false],
  ['spec 0.1.0', 'spec-v0.2.0', false],
  [undefined, 'spec-v0.1.0', false],
])('record %s is later than tag %s: %s', (record, tag, later) => {
  expect(isLater(record, tag)).toBe(later)
})
