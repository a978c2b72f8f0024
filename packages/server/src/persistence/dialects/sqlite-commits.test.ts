import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createCommits } from './sqlite-commits.ts'
import { driver } from './sqlite-drivers.ts'

function openFile() {
  const folder = mkdtempSync(join(tmpdir(), 'commits-'))
  const path = join(folder, 'a.db')
  const file = driver.open(path)
  file.exec('create table one (n)')
  const commits = createCommits(path)
  onTestFinished(() => {
    file.close()
    commits.close()
    rmSync(folder, { recursive: true })
  })
  return { path, file, commits }
}

it('detects each commit of any connection once, and nothing else', () => {
  const { path, file, commits } = openFile()
  file.exec('PRAGMA journal_mode=WAL')
  const other = driver.open(path)
  const tells = (act: () => unknown) => {
    act()
    return [commits.maybe(), commits.maybe()]
  }
  tells(() => file.exec('insert into one values (0)'))
  expect(tells(() => file.exec('insert into one values (1)'))).toEqual([true, false])
  expect(tells(() => other.exec('insert into one values (2)'))).toEqual([true, false])
  expect(tells(() => file.prepare('select * from one').all([]))).toEqual([false, false])
  expect(tells(() => other.exec('begin; insert into one values (3)'))).toEqual([false, false])
  expect(tells(() => other.exec('rollback'))).toEqual([false, false])
  expect(tells(() => other.exec('update one set n = 9 where n = 1'))).toEqual([true, false])
  other.close()
})

it('always reports possible commits if there is no log to read', () => {
  const { file, commits } = openFile()
  expect([commits.maybe(), commits.maybe()]).toEqual([true, true])
  file.exec('insert into one values (1)')
  expect(commits.maybe()).toBe(true)
})
