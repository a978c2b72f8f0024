import { fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { seeded } from '../soak/random.ts'
import { Stored } from '../src/domain/stored.ts'
import { type AlertConfig, type AlertConfigDocument, alertConfigs } from '../src/persistence/alert-configs.ts'
import { type Database, DuplicateError, openDatabase } from '../src/persistence/database.ts'
import { migrate } from '../src/persistence/migrate.ts'
import { type LinkText, pageTextOf, withoutLastRow } from '../src/persistence/page-text.ts'

const table = 'alert_configs'
const one = `select document from ${table} where id = ? and group_id = ?`
const selected = `select id, document from ${table} where group_id = ? order by created_at, id`

/** The source of a process that opens the same file, runs commands and returns the resulting rows. */
const otherProcess = `
  const { DatabaseSync } = require(${JSON.stringify(createRequire(import.meta.url).resolve('@photostructure/sqlite'))})
  const file = new DatabaseSync(process.argv[2])
  process.on('message', ({ sql, values }) => process.send(file.prepare(sql).all(...values)))
`

function startOther(folder: string, file: string) {
  const script = join(folder, 'other.cjs')
  writeFileSync(script, otherProcess)
  const child = fork(script, [file])
  onTestFinished(() => void child.kill())
  return (sql: string, ...values: readonly (string | number)[]): Promise<readonly unknown[]> =>
    new Promise((resolve, reject) => {
      child.once('exit', reject)
      child.once('message', (rows) => {
        child.off('exit', reject)
        resolve(Array.isArray(rows) ? rows : [])
      })
      child.send({ sql, values })
    })
}

type Other = ReturnType<typeof startOther>

const groups = ['a', 'b']
const links: readonly LinkText[] = [
  { before: 'http://one/', after: '' },
  { before: 'http://two/ü/', after: '/more' },
]
const texts = ['', 'plain', 'ümläut ✓ 漢字 🎈', '"quoted", {"links":[]}', 'two\nlines\t\u001f\u001e']

/**
 * Returns actions that change a list of alert configurations, either in this process or in the other one, and functions
 * that make random choices.
 */
function createWorld(database: Database, other: Other, chance: () => number) {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)] ?? never()
  const idOf = () =>
    Math.floor(chance() * 40)
      .toString(16)
      .padStart(24, '0')
  const config = (): AlertConfig => {
    const document = { eventTypeName: pick(texts), notifications: [], enabled: chance() < 0.5 }
    const createdAt = Math.floor(chance() * 10)
    const stored = Stored.from<AlertConfigDocument>(JSON.stringify(document))
    const place = { id: idOf(), groupId: pick(groups), createdAt }
    return { ...place, eventTypeName: '', enabled: true, document: stored, secrets: {} }
  }
  const insert = `insert into ${table} values (?, ?, '', ?, '{}', 1, ?) on conflict (id) do update set
    document = excluded.document, group_id = excluded.group_id, created_at = excluded.created_at`
  return {
    pick,
    idOf,
    acts: [
      () => alertConfigs.put(database, config()),
      () => alertConfigs.insert(database, config()).catch(ifThere),
      () => alertConfigs.insert(database, { ...config(), createdAt: 11 }).catch(ifThere),
      () => alertConfigs.remove(database, pick(groups), idOf()),
      () => Promise.all([alertConfigs.put(database, config()), alertConfigs.put(database, config())]),
      () => {
        const { id, groupId, document, createdAt } = config()
        return other(insert, id, groupId, document.text, createdAt)
      },
      () => other(`update ${table} set document = ? where group_id = ?`, `{"n":${chance()}}`, pick(groups)),
      () => other(`delete from ${table} where id = ?`, idOf()),
      () =>
        database
          .transaction(async (transaction) => {
            const one = config()
            await alertConfigs.put(transaction, one)
            await alertConfigs.pageText(transaction, one.groupId, 5, 0, pick(links))
            await alertConfigs.count(transaction, one.groupId)
            await alertConfigs.get(transaction, one.groupId, one.id)
            throw new Error('taken back')
          })
          .catch(() => {}),
    ],
  }
}

const ifThere = (error: unknown): void => {
  if (!(error instanceof DuplicateError)) throw error
}

const never = (): never => {
  throw new Error('nothing to choose from')
}

it.each([1, 2, 3])(
  'returns pages, counts and rows of the current file, with changes by both processes (seed %i)',
  { timeout: 60_000 },
  async (seed) => {
    const folder = mkdtempSync(join(tmpdir(), 'kept-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'server.db')
    const database = await openDatabase(file)
    onTestFinished(() => database.close())
    await migrate(database)
    const other = startOther(folder, file)
    const { pick, idOf, acts } = createWorld(database, other, seeded(seed))
    for (let step = 0; step < 150; step += 1) {
      await pick(acts)()
      for (const groupId of groups) {
        const rows = await other(selected, groupId)
        const [limit, offset, link] = [pick([1, 3, 100]), pick([0, 0, 2, 30]), pick(links)]
        const shown = rows.slice(offset, offset + limit)
        const page = await alertConfigs.pageText(database, groupId, limit, offset, link)
        expect(page).toMatchObject(pageTextOf(shown, link))
        expect(await alertConfigs.count(database, groupId)).toBe(rows.length)
        const id = idOf()
        const [row] = await other(one, id, groupId)
        expect((await alertConfigs.get(database, groupId, id))?.text).toBe(Object(row).document)
        if (shown.length > 1)
          expect(withoutLastRow(page).text).toEqual(pageTextOf(shown.slice(0, -1), link).text)
      }
    }
  },
)
