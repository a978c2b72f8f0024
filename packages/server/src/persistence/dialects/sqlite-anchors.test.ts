import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { seeded } from '../../../soak/random.ts'
import { migrations } from '../migrations/index.ts'
import { builderFor } from '../statement.ts'
import { sqliteDialect } from './sqlite.ts'
import type { SqliteFile } from './sqlite-driver.ts'
import { driver } from './sqlite-drivers.ts'
import { anchoredPage } from './sqlite-statements.ts'

const page =
  'select "id", "document" from "alerts" where "group_id" = ? and "status" = ? order by "created_at", "id" limit ? offset ?'
const insert = `insert into alerts (id, group_id, config_id, condition, status, targets, document, since, created_at)
  values (?, ?, '', '', ?, '', '{"a":1}', 0, ?) on conflict (id) do update set
  status = excluded.status, group_id = excluded.group_id, created_at = excluded.created_at`

function openTwice(): [SqliteFile, SqliteFile] {
  const folder = mkdtempSync(join(tmpdir(), 'anchors-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = driver.open(join(folder, 'server.db'))
  file.exec('PRAGMA journal_mode=WAL')
  const dialect = sqliteDialect(':memory:')
  for (const query of migrations.flatMap(({ up }) => up(builderFor(dialect), dialect))) {
    file.exec(query.compile().sql)
  }
  return [file, driver.open(join(folder, 'server.db'))]
}

it.each([1, 2, 3])(
  'a deep page read from an anchor is correct after any change of the list (seed %i)',
  (seed) => {
    const [file, other] = openTwice()
    const chance = seeded(seed)
    const among = (count: number) => Math.floor(chance() * count)
    const read = anchoredPage(file, page, 4)
    let clock = 10
    const acts: readonly ((on: SqliteFile) => void)[] = [
      // Insert rows at random positions, and also at the end of the list, where new resources are added.
      (on) => on.prepare(insert).all([`n${clock}`, `g${among(2)}`, `s${among(2)}`, clock++]),
      (on) => on.prepare(insert).all([`n${clock}`, `g${among(2)}`, `s${among(2)}`, clock++]),
      (on) => on.prepare(insert).all([`m${among(99)}`, `g${among(2)}`, `s${among(2)}`, among(clock)]),
      (on) =>
        on.prepare('update alerts set status = ? where id = ?').all([`s${among(2)}`, `n${among(clock)}`]),
      (on) => on.prepare('delete from alerts where id = ?').all([`n${among(clock)}`]),
      (on) => chance() < 0.02 && on.prepare('delete from alerts where group_id = ?').all([`g${among(2)}`]),
    ]
    for (let step = 0; step < 600; step += 1) {
      acts[among(acts.length)]?.(chance() < 0.5 ? file : other)
      const [group, status] = [`g${among(2)}`, `s${among(2)}`]
      for (const offset of [0, 3, 4, 9, 17, 30, among(60)]) {
        const rows = other.prepare(page).all([group, status, 3, offset])
        const { rows: count, text } = read(['|', '|', group, status, 3, offset])
        const ids = text.toString().matchAll(/\|(\w+)\|/g)
        expect([count, ...[...ids].map(([, id]) => id)]).toEqual([
          rows.length,
          ...rows.map((row) => Object(row).id),
        ])
      }
    }
  },
)
