import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../src/persistence/database.ts'
import { migrate } from '../../src/persistence/migrate.ts'
import { bareDatabase } from '../databases.ts'

const length = 40

/** Records all changes to the counts, in the order in which the rows are locked. */
const watching = `
  create table changes (place serial, list text collate "C", owner text collate "C");
  create function watch() returns trigger language plpgsql as $$ begin
    insert into changes (list, owner) values (new.list, new.owner);
    return new;
  end $$;
  create trigger watched before insert or update on row_counts for each row execute function watch();`

it("one statement updates counts in the order of the lists, so statements that share a slot can't deadlock", async () => {
  const address = await bareDatabase()
  const database = await openDatabase(address)
  await migrate(database)
  await database.close()
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(watching)
  await client.query(`insert into alerts (id, group_id, config_id, condition, status, since, targets, created_at, document)
    select 'a' || i, md5('g' || i), md5('c' || i), '', 'OPEN', 0, '{}', 0, '{}' from generate_series(1, ${length}) i`)
  await client.query(`delete from alerts`)
  const { rows } = await client.query<{ list: string; owner: string }>(
    'select list, owner from changes order by place',
  )
  const keys = rows.map(({ list, owner }) => `${list}\0${owner}`)
  const [inserted, deleted] = [keys.slice(0, keys.length / 2), keys.slice(keys.length / 2)]
  expect(new Set(inserted).size).toBeGreaterThan(2 * length)
  // If an insert finds an existing row, it updates that row, so the row is recorded twice.
  for (const each of [inserted, deleted]) expect([...new Set(each)]).toEqual([...new Set(each)].sort())
})
