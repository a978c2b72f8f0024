import type { Eventually, SoleConnection } from './dialects/dialect.ts'
import { createLine } from './lock.ts'

/** Gives everybody who wants the only connection of a database his turn, and commits what several change at once. */
export interface GroupCommit {
  /** Looks at what is committed. */
  look<T>(look: () => Eventually<T>): Eventually<T>
  /** Runs one statement that changes something; settles once that is committed. */
  change<T>(change: () => Eventually<T>): Promise<T>
  /** Runs a body that happens as a whole or not at all, as if it ran alone; settles once it is committed. */
  transaction<T>(body: () => Promise<T>): Promise<T>
  /** Commits what is open and lets nobody else begin. */
  close(): Promise<void>
}

/** An open transaction, and whether what its members changed is kept. */
interface Batch {
  readonly committed: Promise<void>
  readonly keep: () => void
  readonly lose: (error: unknown) => void
  /** True once everybody who could join it has. */
  due: boolean
}

/**
 * Lets the changes of several callers share one commit: it is the disk that makes one slow, and so all of them wait
 * for it together. The first opens a transaction; those whose requests have arrived by the end of this turn of the
 * event loop join it, each in a savepoint of his own; only when it is committed is anybody told how he fared. Who
 * looks meanwhile waits: he must not be shown what may still be lost. Without a disk each is committed at once.
 */
export function createGroupCommit(connection: SoleConnection): GroupCommit {
  const lookers = createLine()
  const changers = createLine()
  let batch: Batch | undefined
  /** Somebody's change is being made: nobody else's may come between its statements. */
  let held = false

  const begin = (): Batch => {
    run(connection, 'BEGIN IMMEDIATE')
    const opened = createBatch()
    batch = opened
    if (connection.durable) setImmediate(close, opened)
    else opened.due = true
    return opened
  }

  const close = (open: Batch) => {
    open.due = true
    if (batch !== open || held) return
    commit(open)
    passOn()
  }

  const commit = (open: Batch) => {
    batch = undefined
    try {
      run(connection, 'COMMIT')
      open.keep()
    } catch (error) {
      // A commit that fails (the disk is full) leaves the transaction open.
      if (connection.inTransaction()) run(connection, 'ROLLBACK')
      open.lose(error)
    }
  }

  /** A failure of the disk may end the transaction at any statement, and with it what others changed. */
  const abandon = (open: Batch, error: unknown) => {
    batch = undefined
    open.lose(error)
  }

  const passOn = () => {
    if (!batch) while (lookers.next());
    held = changers.next()
  }

  const take = async () => {
    if (held) await changers.join(() => {})
    held = true
  }

  const release = () => {
    held = false
    if (batch?.due) commit(batch)
    passOn()
  }

  const inTurn = async <T>(turn: (open: Batch) => Promise<T>): Promise<T> => {
    await take()
    let open: Batch
    let outcome: () => T
    try {
      open = batch ?? begin()
      outcome = await outcomeOf(turn(open))
    } finally {
      release()
    }
    // Also of a failure: it may be one because of somebody else's change.
    await open.committed
    return outcome()
  }

  return {
    look: (look) => (held || batch ? lookers.join(look) : look()),
    change: (change) =>
      inTurn(async (open) => {
        try {
          return await change()
        } catch (error) {
          if (!connection.inTransaction()) abandon(open, error)
          throw error
        }
      }),
    transaction: (body) =>
      inTurn(async (open) => {
        run(connection, 'SAVEPOINT member')
        try {
          const result = await body()
          run(connection, 'RELEASE member')
          return result
        } catch (error) {
          if (connection.inTransaction()) undo(connection)
          else abandon(open, error)
          throw error
        }
      }),
    close: async () => {
      await take()
      if (batch) commit(batch)
    },
  }
}

function undo(connection: SoleConnection): void {
  run(connection, 'ROLLBACK TO member')
  run(connection, 'RELEASE member')
}

/** Prepared like every other statement that is run again and again. */
function run(connection: SoleConnection, sql: string): void {
  connection.prepare(sql).all([])
}

/** What work comes to, to be told later. */
const outcomeOf = <T>(work: Promise<T>): Promise<() => T> =>
  work.then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error
    },
  )

function createBatch(): Batch {
  let keep = () => {}
  let lose: Batch['lose'] = () => {}
  const committed = new Promise<void>((resolve, reject) => {
    keep = resolve
    lose = reject
  })
  // Each member is told; that it failed before any has asked is no failure of its own.
  committed.catch(() => {})
  return { committed, keep, lose, due: false }
}
