import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openJournal } from './journal.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const thing = (alertConfigId: string) =>
  ({ operation: 'deleteAlertConfig', parameters: { groupId: 'g', alertConfigId } }) as const

test('restores the resources that were not removed, last created first', () => {
  const file = join(folder, 'journal')
  const journal = openJournal(file)
  for (const id of ['a', 'b', 'c']) journal.created(thing(id))
  journal.removed(thing('b'))
  expect(openJournal(file).left()).toEqual([thing('c'), thing('a')])
})

test('ignores a truncated last line', () => {
  const file = join(folder, 'journal')
  openJournal(file).created(thing('a'))
  appendFileSync(file, '{"verb":"made","operation":"deleteAle')
  expect(openJournal(file).left()).toEqual([thing('a')])
})

test('stores an entry after a truncated line', () => {
  const file = join(folder, 'journal')
  writeFileSync(file, '{"verb":"made","operation":"deleteAle')
  openJournal(file).created(thing('b'))
  expect(openJournal(file).left()).toEqual([thing('b')])
})

test('stores seeded resources until they are removed', () => {
  const file = join(folder, 'journal')
  const journal = openJournal(file)
  journal.seeded({ projects: [{ id: 'p', name: 'x' }] })
  journal.seeded({
    projects: [{ id: 'p' }],
    clusters: [
      { groupId: 'q', name: 'c' },
      { groupId: 'p', name: 'd' },
    ],
  })
  const left = { projects: [{ id: 'p' }], clusters: [{ groupId: 'q', name: 'c' }] }
  expect(openJournal(file).seedLeft()).toEqual(left)
  journal.unseeded()
  expect(openJournal(file).seedLeft()).toBeUndefined()
})

test('stores the original state before the first change until it is restored', () => {
  const file = join(folder, 'journal')
  const dns = { operation: 'updateCustomDns', parameters: { groupId: 'g' } } as const
  const audit = {
    operation: 'updateAuditingConfig',
    parameters: { groupId: 'g' },
    body: { enabled: true },
  } as const
  const journal = openJournal(file)
  journal.original({ ...dns, body: { enabled: true } })
  journal.original(audit)
  journal.original({ ...dns, body: { enabled: false } })
  expect(openJournal(file).changed()).toEqual([audit, { ...dns, body: { enabled: true } }])
  journal.restored(dns)
  expect(openJournal(file).changed()).toEqual([audit])
})

test('stores a raised condition once, until it is ended', () => {
  const file = join(folder, 'journal')
  const [down, high] = [
    { groupId: 'g', eventTypeName: 'HOST_DOWN', clusterName: 'c' },
    { groupId: 'g', eventTypeName: 'OUTSIDE_METRIC_THRESHOLD' },
  ]
  const journal = openJournal(file)
  for (const one of [down, high, down]) journal.raised(one)
  expect(openJournal(file).activeConditions()).toEqual([down, high])
  openJournal(file).ended({ clusterName: 'c', eventTypeName: 'HOST_DOWN', groupId: 'g' })
  expect(openJournal(file).activeConditions()).toEqual([high])
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(4)
  appendFileSync(file, '{"raised":{"grou')
  expect(openJournal(file).activeConditions()).toEqual([high])
})

test('stores the original clock and all clock changes until the clock is reset', () => {
  const file = join(folder, 'journal')
  const journal = openJournal(file)
  expect(journal.clock()).toBeUndefined()
  journal.moved({ now: 5000, rate: 2, at: 1000, seconds: 60 })
  journal.moved({ now: 99_000, rate: 2, at: 9000, seconds: 3600 })
  expect(openJournal(file).clock()).toEqual({ now: 5000, rate: 2, at: 1000, seconds: 3660 })
  appendFileSync(file, '{"clock":{"now"')
  const later = openJournal(file)
  later.clockBack()
  later.clockBack()
  expect(openJournal(file).clock()).toBeUndefined()
  expect(readFileSync(file, 'utf8').match(/clockBack/g)).toHaveLength(1)
})

test("stores the existing resources of a collection until the run's own are identified", () => {
  const file = join(folder, 'journal')
  const place = { operation: 'deleteAlertConfig', parameters: { groupId: 'g' } } as const
  const journal = openJournal(file)
  journal.existing({ ...place, names: ['a'] })
  journal.existing({ ...place, names: ['a', 'b'] })
  appendFileSync(file, '{"stood":{')
  expect(openJournal(file).allExisting()).toEqual([{ ...place, names: ['a', 'b'] }])
  journal.restored(place)
  expect(openJournal(file).allExisting()).toEqual([])
})

test('a new run discards earlier results and keeps earlier leftovers', () => {
  const file = join(folder, 'journal')
  const begun = { runTag: 'a', seed: 1, strict: false, target: 'http://x', selection: {} }
  const result = { id: 'i', requirement: 'r', operation: 'o', version: 'v', variant: '', exchanges: 1 }
  const done = {
    result: { ...result, verdict: 'PASS', strength: 'stated' },
    judged: [],
    coverage: [],
  } as const
  const journal = openJournal(file)
  journal.began(begun)
  journal.done(done)
  journal.created(thing('a'))
  expect(openJournal(file).progress()).toEqual({ run: begun, done: [done] })
  journal.began({ ...begun, runTag: 'b' })
  expect(openJournal(file).progress()).toEqual({ run: { ...begun, runTag: 'b' }, done: [] })
  expect(openJournal(file).left()).toEqual([thing('a')])
})

test.each([
  '{"baseUrl":"http://x"}',
  '[1]',
  'made',
  '{"verb":"said","operation":"deleteAlertConfig"}\n',
  '{"raised":{"groupId":"g"}}',
  '{"clock":{"now":1}}',
])('rejects a file with the line %j', (line) => {
  const file = join(folder, 'journal')
  openJournal(file).created(thing('a'))
  appendFileSync(file, `${line}\n`)
  expect(() => openJournal(file)).toThrow(`${file}:2 isn't a line of a journal`)
})
