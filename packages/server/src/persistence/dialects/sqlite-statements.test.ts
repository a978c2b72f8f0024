import { expect, it, onTestFinished } from 'vitest'
import { Stored } from '../../domain/stored.ts'
import { type AlertConfigDocument, alertConfigs } from '../alert-configs.ts'
import { openDatabase } from '../database.ts'
import { migrate } from '../migrate.ts'
import { driver } from './sqlite-drivers.ts'
import { createStatements } from './sqlite-statements.ts'

it.each([
  ['after its last row', 'e', 3, ['b', 'd']],
  ['at the time of its last row, sorted after it', 'e', 2, ['b', 'd']],
  ['at the time of its last row, sorted before it', 'c', 2, ['b', 'c']],
  ['before its first row', 'z', 0, ['z', 'b']],
])('a cached full page is correct after a row is added %s', async (_, added, createdAt, expected) => {
  const database = await openDatabase(':memory:')
  onTestFinished(() => database.close())
  await migrate(database)
  const insert = (id: string, at: number) =>
    alertConfigs.insert(database, {
      id,
      groupId: 'g',
      createdAt: at,
      eventTypeName: '',
      enabled: true,
      secrets: {},
      document: Stored.from<AlertConfigDocument>(JSON.stringify({ id })),
    })
  const page = async () => {
    const { text } = await alertConfigs.pageText(database, 'g', 2, 0, { before: '', after: '' })
    return JSON.parse(`[${text}]`).map(({ id }: { id: string }) => id)
  }
  await insert('b', 1)
  await insert('d', 2)
  expect(await page()).toEqual(['b', 'd'])
  await insert(added, createdAt)
  expect(await page()).toEqual(expected)
})

it('caches a row on its second read, and a count on its first', () => {
  const file = driver.open(':memory:')
  onTestFinished(() => void file.close())
  file.exec(`create table things (id text, document text); insert into things values ('one', '{}')`)
  const statements = createStatements(file)
  const responsesTo = (sql: string) => {
    const statement = statements.prepare(sql)
    return [1, 2, 3].map(() => statement.first(['one']))
  }
  const [first, second, third] = responsesTo('select "document" from "things" where "id" = ?')
  expect([second === first, third === second]).toEqual([false, true])
  const [counted, again] = responsesTo('select count(*) as "total" from "things" where "id" = ?')
  expect(again).toBe(counted)
})
