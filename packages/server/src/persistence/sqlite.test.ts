import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { breakReads, canBreakReads } from '../../test/broken-disk.ts'
import { openDatabase, UnavailableError } from './database.ts'
import { sqliteDialect } from './dialects/sqlite.ts'
import { driver } from './dialects/sqlite-drivers.ts'
import { migrate } from './migrate.ts'

const folder = mkdtempSync(join(tmpdir(), 'sqlite-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The number that SQLite uses for the mode FULL (SQLite, "PRAGMA synchronous"). */
const fullySynchronous = 2

describe('a database file', () => {
  it('rejects a second server with an explanation', async () => {
    const file = join(folder, 'owned.db')
    const database = await openDatabase(file)
    onTestFinished(() => database.close())
    await migrate(database)
    await expect(openDatabase(file)).rejects.toThrow(`${file} is in use by another server`)
  })

  it.each([
    ['a link to it', 'linked.db', () => symlinkSync(join(folder, 'real', 'a.db'), join(folder, 'linked.db'))],
    ['a link to its folder', 'folder/a.db', () => symlinkSync(join(folder, 'real'), join(folder, 'folder'))],
    ['another path', 'real/../real/a.db', () => {}],
  ])('rejects a second server through %s, before and after the file is created', async (_, path, link) => {
    mkdirSync(join(folder, 'real'))
    onTestFinished(() => {
      rmSync(join(folder, 'real'), { recursive: true })
    })
    link()
    for (const [one, other] of [
      [`${folder}/${path}`, join(folder, 'real', 'a.db')],
      [join(folder, 'real', 'a.db'), `${folder}/${path}`],
    ]) {
      const database = await openDatabase(one ?? '')
      await expect(openDatabase(other ?? '')).rejects.toThrow(`${other} is in use by another server`)
      await database.close()
    }
  })

  it('is created with its parent folders', async () => {
    const file = join(folder, 'in', 'new', 'folders.db')
    await (await openDatabase(file)).close()
    expect(existsSync(file)).toBe(true)
  })

  it.skipIf(process.platform === 'win32')(
    'is readable only by its owner, as are the files next to it, unless its mode is changed',
    async () => {
      const place = join(folder, 'private')
      const file = join(place, 'server.db')
      const modesOf = () =>
        readdirSync(place)
          // The lock file with the suffix `-owner` is empty.
          .filter((name) => !name.includes('-owner'))
          .map((name) => [name, statSync(join(place, name)).mode & 0o777])
      const before = process.umask(0o022)
      onTestFinished(() => void process.umask(before))
      const database = await openDatabase(file)
      await migrate(database)
      const names = ['server.db', 'server.db-shm', 'server.db-wal']
      expect(modesOf()).toEqual(names.map((name) => [name, 0o600]))
      await database.close()
      chmodSync(file, 0o640)
      const again = await openDatabase(file)
      onTestFinished(() => again.close())
      await migrate(again)
      expect(statSync(file).mode & 0o777).toBe(0o640)
    },
  )

  it.skipIf(!existsSync('/proc/self')).each([
    ['/proc/none/server.db', "ENOENT: no such file or directory, mkdir '/proc/none'"],
    ['/proc/self/status/server.db', "EEXIST: file already exists, mkdir '/proc/self/status'"],
  ])("is rejected if its folder can't be created: %s", async (file, why) => {
    await expect(openDatabase(file)).rejects.toThrow(`The database file ${file} cannot be written: ${why}`)
  })

  it.skipIf(!canBreakReads)(
    'is released if the disk fails while it is closed, and can be opened again',
    async () => {
      const file = join(folder, 'broken.db')
      const database = await openDatabase(file)
      await migrate(database)
      breakReads(`${file}-wal`)
      await expect(database.close()).rejects.toThrow(UnavailableError)
      const again = await openDatabase(file)
      onTestFinished(() => again.close())
      expect(await migrate(again)).toBe(0)
    },
  )

  it('of another application is rejected and not changed', async () => {
    const path = join(folder, 'foreign.db')
    for (const tables of [
      'create table migrations (id integer primary key, name text); create table settings (name text)',
      'create table things (id integer)',
      'pragma application_id = 7',
    ]) {
      rmSync(path, { force: true })
      const file = driver.open(path)
      file.exec(tables)
      file.close()
      const before = readFileSync(path)
      await expect(openDatabase(path)).rejects.toThrow(
        `The database file ${path} belongs to another application. ` +
          'Choose a file that this server created, or a new file',
      )
      expect(readFileSync(path).equals(before)).toBe(true)
    }
  })

  it('has an application id, and a file from before it had one gets it', async () => {
    const path = join(folder, 'own.db')
    const idOf = () => {
      const file = driver.open(path)
      const [id] = file.prepareRow('pragma application_id')([]) ?? []
      file.close()
      return id
    }
    const open = async () => {
      const database = await openDatabase(path)
      await migrate(database)
      await database.close()
      return idOf()
    }
    const id = await open()
    expect(id).not.toBe(0)
    const file = driver.open(path)
    file.exec('pragma application_id = 0')
    file.close()
    expect(idOf()).toBe(0)
    expect(await open()).toBe(id)
  })

  it('that is not a SQLite file or damaged is rejected with the reason', async () => {
    const path = join(folder, 'corrupt.db')
    writeFileSync(path, 'just text, and longer than the header of a file\n'.repeat(100))
    await expect(openDatabase(path)).rejects.toThrow(
      `${path} is not an SQLite database. Choose a different file (file is not a database)`,
    )
    rmSync(path)
    const database = await openDatabase(path)
    await migrate(database)
    await database.close()
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0xff, 100, 4096))
    await expect(openDatabase(path)).rejects.toThrow(
      `The database file ${path} is damaged. Restore a backup (database disk image is malformed)`,
    )
  })

  it("waits for the disk at each commit, because killing the process can't show the effect of a power cut", async () => {
    const opened = await sqliteDialect(join(folder, 'durable.db')).open()
    if (!('prepare' in opened)) throw new Error('SQLite has one connection')
    onTestFinished(() => opened.close())
    expect(opened.prepare('PRAGMA synchronous').all([])).toEqual([{ synchronous: fullySynchronous }])
    expect(opened.prepare('PRAGMA journal_mode').all([])).toEqual([{ journal_mode: 'wal' }])
  })
})
