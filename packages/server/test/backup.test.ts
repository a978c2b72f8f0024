import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newestCommand } from '../../../scripts/newest-command.ts'
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
    // The backup is restored as the help text describes.
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
    const failed = (...args: string[]) => {
      const { status, stderr } = backUp(...args)
      expect(status).toBe(1)
      return stderr
    }
    expect(failed()).toContain('Pass the file to create.')
    expect(failed(copy, '--database', database)).toContain(`The database file ${database} does not exist`)
    expect(failed(copy, '--database', 'postgres://host/name')).toContain('Use pg_dump')
    expect(failed(copy, '--database', ':memory:')).toContain('Use a database file')
    writeFileSync(database, 'no database'.repeat(1000))
    expect(failed(copy, '--database', database)).toContain('file is not a database')
    expect(readdirSync(folder)).toEqual(['server.db'])
    writeFileSync(copy, '')
    expect(failed(copy, '--database', database)).toContain(`The file ${copy} already exists`)
    expect(existsSync(copy)).toBe(true)
  })
})
