import { describe, expect, it, onTestFinished } from 'vitest'
import { seeded } from '../../soak/random.ts'
import { bareDatabase, persistentDatabase } from '../../test/databases.ts'
import { Stored } from '../domain/stored.ts'
import { type AlertConfigDocument, alertConfigs } from './alert-configs.ts'
import { alertLists } from './alert-lists.ts'
import { type AlertDocument, alerts } from './alerts.ts'
import { type Database, openDatabase, type Session } from './database.ts'
import { erase } from './erase.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { removal } from './removal.ts'

const all = { limit: 1000, offset: 0 }
const [groups, configs, statuses] = [
  ['g1', 'g2'],
  ['c1', 'c2', 'c3'],
  ['OPEN', 'TRACKING', 'CLOSED'],
] as const

async function open(address: string, known = migrations): Promise<Database> {
  const database = await openDatabase(address)
  onTestFinished(() => database.close())
  await migrate(database, known)
  return database
}

function putAlert(database: Session, id: string, groupId: string, configId: string, status: string) {
  const document = Stored.from<AlertDocument>('{"id":1}')
  const rest = {
    since: 0,
    createdAt: 0,
    acknowledgedUntil: undefined,
    silentUntil: undefined,
    dueAt: undefined,
    told: 0,
    targets: [],
  }
  return alerts.put(database, {
    ...rest,
    id,
    groupId,
    configId,
    status,
    condition: '',
    severity: '',
    document,
  })
}

function putConfig(database: Session, id: string, groupId: string) {
  const document = Stored.from<AlertConfigDocument>('{"id":1}')
  const rest = { createdAt: 0, eventTypeName: '', enabled: true, secrets: {} }
  return alertConfigs.put(database, { ...rest, id, groupId, document })
}

/** Returns the stored length and the actual length of each list whose rows are counted. */
async function lengths(database: Database): Promise<[counted: number, listed: number][]> {
  const selections = [
    ...groups.map((groupId) => ({ groupId })),
    ...groups.flatMap((groupId) => statuses.map((status) => ({ groupId, status }))),
    ...configs.flatMap((configId) => statuses.map((status) => ({ configId, status }))),
  ]
  const ofAlerts = selections.map(
    async (which): Promise<[number, number]> => [
      await alertLists.count(database, which),
      (await alertLists.page(database, which, all)).length,
    ],
  )
  const ofConfigs = groups.map(
    async (groupId): Promise<[number, number]> => [
      await alertConfigs.count(database, groupId),
      (await alertConfigs.page(database, groupId, all.limit, 0)).length,
    ],
  )
  return Promise.all([...ofAlerts, ...ofConfigs])
}

const counted = (pairs: readonly [number, number][]) => pairs.map(([count]) => count)
const listed = (pairs: readonly [number, number][]) => pairs.map(([, length]) => length)

describe('stored list lengths are correct', () => {
  it('after any change of the rows', { timeout: 60_000 }, async () => {
    const database = await open(await persistentDatabase())
    const chance = seeded(7)
    const pick = (from: readonly string[]) => from[Math.floor(chance() * from.length)] ?? ''
    const id = () => String(Math.floor(chance() * 30))
    for (let step = 0; step < 120; step += 1) {
      const act = Math.floor(chance() * 20)
      if (act === 0) await removal.project(database, pick(groups))
      else if (act < 6) await putConfig(database, id(), pick(groups))
      else if (act < 8) await alertConfigs.remove(database, pick(groups), id())
      else await putAlert(database, id(), pick(groups), pick(configs), pick(statuses))
      if (step % 4 > 0) continue
      const pairs = await lengths(database)
      expect(counted(pairs)).toEqual(listed(pairs))
    }
    await database.transaction((transaction) => erase(transaction))
    expect(counted(await lengths(database)).filter((count) => count > 0)).toEqual([])
  })

  it('after concurrent changes', async () => {
    const address = await persistentDatabase()
    const database = await open(address)
    // On SQLite, only one process can open a file, but callers in this process still run concurrently.
    const sessions = database.dialect.shared ? [database, await open(address)] : [database]
    const callers = Array.from({ length: 8 }, (_, caller) => async () => {
      const session = sessions[caller % sessions.length] ?? database
      for (let number = 0; number < 10; number += 1) {
        await putConfig(session, `${caller} ${number}`, 'g1')
        await session.transaction((transaction) =>
          putAlert(transaction, `${caller} ${number}`, 'g1', 'c1', 'OPEN'),
        )
      }
      for (let number = 0; number < 5; number += 1) {
        await alertConfigs.remove(session, 'g1', `${caller} ${number}`)
        await putAlert(session, `${caller} ${number}`, 'g1', 'c1', 'CLOSED')
      }
    })
    await Promise.all(callers.map((call) => call()))
    const pairs = await lengths(database)
    expect(counted(pairs)).toEqual(listed(pairs))
    expect(await alertConfigs.count(database, 'g1')).toBe(40)
    expect(await alertLists.count(database, { groupId: 'g1', status: 'CLOSED' })).toBe(40)
  })

  it('in a database from a server without row counts', async () => {
    const database = await open(
      await bareDatabase(),
      migrations.filter(({ name }) => !name.startsWith('row-counts')),
    )
    for (const [index, status] of statuses.entries()) await putAlert(database, `${index}`, 'g1', 'c1', status)
    await putAlert(database, 'other', 'g2', 'c1', 'OPEN')
    for (const id of ['a', 'b']) await putConfig(database, id, 'g2')
    await migrate(database)
    const pairs = await lengths(database)
    expect(counted(pairs)).toEqual(listed(pairs))
    await putConfig(database, 'c', 'g2')
    expect(await alertConfigs.count(database, 'g2')).toBe(3)
  })
})
