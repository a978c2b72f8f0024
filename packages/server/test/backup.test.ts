import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newestCommand } from '../../../scripts/newest-command.ts'
import { runBackup } from '../src/backup-command.ts'
import { projectId } from './demo.ts'
import { startProcess } from './server-process.ts'

const configs = `/groups/${projectId}/alertConfigs`
const json = { eventTypeName: 'HOST_DOWN', notifications: [] }

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

function backUp(...args: string[]) {
  const command = [...newestCommand('server'), 'backup', ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: new URL('..', import.meta.url),
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

describe('svc-admin-server backup', { timeout: 120_000 }, () => {
  it('copies the file while the server changes it, and a server started on the copy has everything', async () => {
    const folder = emptyFolder()
    const database = join(folder, 'server.db')
    const server = await startProcess(database)
    onTestFinished(() => server.kill())
    const create = async () => (await server.ask(configs, { method: 'POST', json })).textAt('id')
    const before = [await create(), await create()]
    let busy = true
    const changing = (async () => {
      while (busy) await create()
    })()
    const copy = join(folder, "it's a copy.db")
    const done = backUp(copy, '--database', database)
    busy = false
    await changing
    expect(done).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^Backed up .*server\.db to .*it's a copy\.db \(\d+ KiB\)\.\n$/),
      stderr: '',
    })
    const after = await create()
    await server.kill()
    if (process.platform !== 'win32') expect(statSync(copy).mode & 0o777).toBe(0o600)
    // Restore the backup in the way that the help text describes.
    for (const name of readdirSync(folder).filter((one) => one.startsWith('server.db')))
      rmSync(join(folder, name))
    copyFileSync(copy, database)
    const restored = await startProcess(database)
    onTestFinished(() => restored.kill())
    for (const id of before) expect((await restored.ask(`${configs}/${id}`)).status).toBe(200)
    expect((await restored.ask(`${configs}/${after}`)).status).toBe(404)
    expect((await restored.ask(configs, { method: 'POST', json })).status).toBe(200)
  })

  it('explains what cannot be backed up, and leaves no file behind', () => {
    const folder = emptyFolder()
    const database = join(folder, 'server.db')
    const copy = join(folder, 'copy.db')
    // Starting a process takes longer than the failure, so only the last one runs as a command.
    const failing = (...args: string[]) => expect(() => runBackup(args, process.env))
    failing().toThrow('Pass the path of the file to create.')
    failing(copy, '--database', database).toThrow(`The database file ${database} does not exist`)
    failing(copy, '--database', 'postgres://host/name').toThrow('Use pg_dump')
    failing(copy, '--database', ':memory:').toThrow('Use a database file')
    writeFileSync(database, 'no database'.repeat(1000))
    failing(copy, '--database', database).toThrow('file is not a database')
    expect(readdirSync(folder)).toEqual(['server.db'])
    writeFileSync(copy, '')
    expect(backUp(copy, '--database', database)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`The file ${copy} already exists`),
    })
    expect(existsSync(copy)).toBe(true)
  })
})
