import { describe, expect, it } from 'vitest'
import type { SoleConnection } from './dialects/dialect.ts'
import { createGroupCommit } from './group-commit.ts'

/** Creates a connection that records its statements, and fails when it runs one of the given ones. */
function recording(failures: Readonly<Record<string, Error>> = {}, durable = true) {
  const ran: string[] = []
  let open = false
  const run = (sql: string) => {
    ran.push(sql)
    if (sql === 'BEGIN IMMEDIATE') open = true
    const failure = failures[sql]
    if (failure) throw failure
    if (sql === 'COMMIT' || sql === 'ROLLBACK') open = false
    return []
  }
  const connection: SoleConnection = {
    durable,
    prepare: (sql) => ({ all: () => run(sql), first: () => run(sql)[0] }),
    run,
    inTransaction: () => open,
    requireFile: () => {},
    close: () => {},
  }
  const turns = createGroupCommit(connection)
  const end = () => {
    open = false
  }
  return { turns, ran, run, end, change: (name: string) => turns.change(() => run(name)) }
}

describe('a connection that is closed', () => {
  it('rejects new and waiting callers immediately', async () => {
    const { turns, change } = recording({}, false)
    const closing = turns.close()
    const waiting = [change('a'), turns.transaction(async () => 'b'), turns.close()]
    await closing
    const late = [change('c'), turns.transaction(async () => 'd'), (async () => turns.look(() => 'e'))()]
    for (const one of [...waiting, ...late]) await expect(one).rejects.toThrow('The database has been closed')
  })
})

/** Waits until the current event loop turn ends. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('concurrent changes', () => {
  it('share one commit and settle after it', async () => {
    const { ran, run, turns, change } = recording()
    const told: string[] = []
    const tell = (name: string) => () => told.push(`${name} after ${ran.at(-1)}`)
    await Promise.all([
      change('a').then(tell('a')),
      turns.transaction(async () => run('b')).then(tell('b')),
      change('c').then(tell('c')),
    ])
    // Transactions run immediately, but single statements wait until just before the commit.
    expect(ran).toEqual(['BEGIN IMMEDIATE', 'SAVEPOINT member', 'b', 'RELEASE member', 'a', 'c', 'COMMIT'])
    expect(told.sort()).toEqual(['a after COMMIT', 'b after COMMIT', 'c after COMMIT'])
  })

  it('share the commit with changes of later turns, as long as every turn brings more', async () => {
    const { ran, change } = recording()
    const changes = [change('a'), change('b')]
    await turn()
    changes.push(change('c'))
    await Promise.all(changes)
    await change('d')
    expect(ran).toEqual(['BEGIN IMMEDIATE', 'a', 'b', 'c', 'COMMIT', 'BEGIN IMMEDIATE', 'd', 'COMMIT'])
  })

  it('do not wait indefinitely for further changes', async () => {
    const { ran, change } = recording()
    const changes = [change('first')]
    for (let count = 0; count < 20; count += 1) {
      changes.push(change('more'))
      await turn()
    }
    await Promise.all(changes)
    expect(ran.filter((sql) => sql === 'COMMIT').length).toBeGreaterThan(2)
  })

  it('from a single caller are committed in the same turn', async () => {
    const { ran, change } = recording()
    const changing = change('a')
    // The first change finishes before the batch checks whether there are more changes.
    for (const _ of [1, 2]) await turn()
    expect(ran).toEqual(['BEGIN IMMEDIATE', 'a', 'COMMIT'])
    await changing
  })

  it('are committed without a transaction that fails', async () => {
    const { ran, turns, change } = recording()
    const first = change('a')
    const failing = turns.transaction(async () => {
      throw new Error('no')
    })
    const outcomes = await Promise.allSettled([first, failing, change('c')])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(ran.slice(1, 4)).toEqual(['SAVEPOINT member', 'ROLLBACK TO member', 'RELEASE member'])
    expect(ran.slice(4)).toEqual(['a', 'c', 'COMMIT'])
  })

  it('are all lost if the commit fails, but later ones are not', async () => {
    const full = new Error('the disk is full')
    const failures: Record<string, Error> = { COMMIT: full }
    const { ran, change } = recording(failures)
    const outcomes = await Promise.allSettled([change('a'), change('b')])
    expect(outcomes).toEqual([
      { status: 'rejected', reason: full },
      { status: 'rejected', reason: full },
    ])
    expect(ran.at(-1)).toBe('ROLLBACK')
    delete failures.COMMIT
    await expect(change('c')).resolves.toEqual([])
  })

  it('are committed without a statement that fails', async () => {
    const { ran, change } = recording({ b: new Error('that name is taken') })
    const outcomes = await Promise.allSettled([change('a'), change('b'), change('c')])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(ran).toEqual(['BEGIN IMMEDIATE', 'a', 'b', 'c', 'COMMIT'])
  })

  it('are all lost if a failure ends the transaction, and nothing runs outside of one', async () => {
    const { ran, turns, end, change } = recording()
    const first = change('a')
    const ending = turns.change(() => {
      end()
      throw new Error('input or output failed')
    })
    const outcomes = await Promise.allSettled([first, ending, change('c')])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(ran).toEqual(['BEGIN IMMEDIATE', 'a'])
    await expect(change('d')).resolves.toEqual([])
  })

  it('are lost if a failure ends a transaction that contains several', async () => {
    const { ran, turns, end, change } = recording()
    const first = change('a')
    const ending = turns.transaction(async () => {
      end()
      throw new Error('input or output failed')
    })
    const outcomes = await Promise.allSettled([first, ending])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(ran).toEqual(['BEGIN IMMEDIATE', 'SAVEPOINT member'])
  })

  it('are all lost if no transaction can be opened', async () => {
    const locked = new Error('the file is locked')
    const { ran, change } = recording({ 'BEGIN IMMEDIATE': locked })
    const outcomes = await Promise.allSettled([change('a'), change('b')])
    expect(outcomes.map((outcome) => 'reason' in outcome && outcome.reason)).toEqual([locked, locked])
    expect(ran).not.toContain('a')
  })

  it('are committed one by one if there is no disk', async () => {
    const { ran, change } = recording({}, false)
    await Promise.all([change('a'), change('b')])
    expect(ran).toEqual(['BEGIN IMMEDIATE', 'a', 'COMMIT', 'BEGIN IMMEDIATE', 'b', 'COMMIT'])
  })
})

describe('a read', () => {
  it('runs immediately if there are no changes', () => {
    expect(recording().turns.look(() => 'seen')).toBe('seen')
  })

  it('waits for the commit of running changes', async () => {
    const { ran, run, turns, change } = recording()
    const changing = turns.transaction(async () => run('a'))
    const seen = turns.look(() => ran.at(-1))
    const joining = change('b')
    expect(await seen).toBe('COMMIT')
    await Promise.all([changing, joining])
    expect(ran.slice(2)).toEqual(['a', 'RELEASE member', 'b', 'COMMIT'])
  })

  it('waits for finished changes that are not committed yet', async () => {
    const { ran, run, turns } = recording()
    const changing = turns.transaction(async () => run('a'))
    while (ran.at(-1) !== 'RELEASE member') await Promise.resolve()
    for (let step = 0; step < 5; step += 1) await Promise.resolve()
    expect(ran).not.toContain('COMMIT')
    expect(await turns.look(() => ran.at(-1))).toBe('COMMIT')
    await changing
  })

  it('does not wait for changes that have not begun', async () => {
    const { ran, turns, change } = recording()
    const changing = change('a')
    expect(turns.look(() => [...ran])).toEqual([])
    await changing
  })
})

it('commits open changes before the connection closes', async () => {
  const { ran, turns, change } = recording()
  const changing = change('a')
  await turns.close()
  expect(ran).toEqual(['BEGIN IMMEDIATE', 'a', 'COMMIT'])
  await changing
})
