import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, expect, test } from 'vitest'
import { Misconfiguration } from '../model/signals.ts'
import { lockClockOf, lockFile } from './files.ts'

const folder = mkdtempSync(join(tmpdir(), 'files-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = join(folder, 'journal')
const lock = `${file}.lock`

test('locks a file until it is released', () => {
  const release = lockFile('the journal', file)
  expect(readFileSync(lock, 'utf8')).toBe(String(process.pid))
  release()
  expect(existsSync(lock)).toBe(false)
})

test('rejects a file that another process has locked, and keeps its lock', () => {
  writeFileSync(lock, String(process.ppid))
  expect(() => lockFile('the journal', file)).toThrow(
    new Misconfiguration(
      `the journal ${file} is in use by process ${process.ppid}: wait until it ends, or remove ${lock} if the process isn't a run of the kit`,
    ),
  )
  expect(readFileSync(lock, 'utf8')).toBe(String(process.ppid))
  rmSync(lock)
})

test('ignores the lock of a killed process', () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  writeFileSync(lock, String(pid))
  lockFile('the journal', file)()
  writeFileSync(lock, '')
  lockFile('the journal', file)()
  expect(existsSync(lock)).toBe(false)
})

test('waits for the holder of a new lock to write its process id', async () => {
  writeFileSync(lock, '')
  const worker = new Worker(
    `const { readFileSync, writeFileSync } = require('node:fs')
    const { parentPort, workerData } = require('node:worker_threads')
    parentPort.postMessage('ready')
    setTimeout(() => writeFileSync(workerData.lock, workerData.holder), 15)`,
    { eval: true, workerData: { lock, holder: String(process.ppid) } },
  )
  await once(worker, 'message')
  expect(() => lockFile('the journal', file)).toThrow(`is in use by process ${process.ppid}`)
  await worker.terminate()
  rmSync(lock)
})

test('locks a clock for one run, however its address is written', () => {
  const release = lockClockOf('http://127.0.0.1:4711', '')
  expect(() => lockClockOf('http://localhost:4711/', ', or do something else')).toThrow(
    `process ${process.pid} already runs the kit at http://localhost:4711/, and both runs would move the same clock: wait until it ends, or do something else, or remove `,
  )
  lockClockOf('http://127.0.0.1:4711/worlds/other', '')()
  release()
  lockClockOf('http://localhost:4711', '')()
})

test('reports a missing folder', () => {
  expect(() => lockFile('the journal', join(folder, 'none', 'journal'))).toThrow('the file does not exist')
})
