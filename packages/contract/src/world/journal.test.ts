import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
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

test('remembers across a restart what was made and not removed, last made first', () => {
  const file = join(folder, 'journal')
  const journal = openJournal(file)
  for (const id of ['a', 'b', 'c']) journal.made(thing(id))
  journal.removed(thing('b'))
  expect(openJournal(file).left()).toEqual([thing('c'), thing('a')])
})

test('bears a last line that was cut', () => {
  const file = join(folder, 'journal')
  openJournal(file).made(thing('a'))
  appendFileSync(file, '{"verb":"made","operation":"deleteAle')
  expect(openJournal(file).left()).toEqual([thing('a')])
})
