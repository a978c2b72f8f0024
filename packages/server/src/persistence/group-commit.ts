import type { Eventually, SoleConnection } from './dialects/dialect.ts'
import { ClosedError } from './failures.ts'
import { createQueue } from './lock.ts'

/** Lets multiple callers share the only connection to a database, and commits their concurrent changes together. */
export interface GroupCommit {
  /** Reads committed data. */
  look<T>(look: () => Eventually<T>): Eventually<T>
  /** Runs a statement that changes data. The promise settles after the commit. */
  change<T>(change: () => Eventually<T>): Promise<T>
  /** Runs a transaction. The promise settles after the commit. */
  transaction<T>(body: () => Promise<T>): Promise<T>
  /** Commits all pending changes and rejects all later calls. */
  close(): Promise<void>
}

/** A group of changes with a shared commit. */
interface Batch {
  readonly committed: Promise<void>
  /** The statements to run immediately before the commit. */
  readonly waiting: Waiting[]
  readonly keep: () => void
  readonly lose: (error: unknown) => void
  /** The number of changes in the batch. */
  joined: number
  /** Whether the batch's transaction has started. */
  begun: boolean
  /** Whether the batch is ready to commit. */
  due: boolean
}

/** A statement that runs immediately before the commit of its batch. */
interface Waiting {
  /**
   * Runs the statement.
   *
   * @throws if the batch's transaction has already ended because of an error.
   */
  make(): void
  tell(): void
  lose(error: unknown): void
}

/** The maximum number of event loop turns before a batch is committed. */
const mostTurns = 5

/**
 * Commits changes from several callers together. Because a commit must wait for the disk, all changes in an event loop
 * turn form a batch and share a single commit.
 *
 * A batch remains open as long as more changes arrive in each turn. Callers that waited for the same commit usually
 * send their next requests at the same time, so their changes belong in the same batch.
 *
 * Individual statements run together just before the commit, which takes half as long as running each statement during
 * its request. Transactions run immediately, each in its own savepoint. Callers get their results after the commit.
 * Reads wait while a batch's transaction is open, because they must not return changes that may still be lost. In an
 * in-memory database, each change is committed immediately.
 */
export function createGroupCommit(connection: SoleConnection): GroupCommit {
  const lookers = createQueue()
  const changers = createQueue()
  // While a change is running, no other change can run between its statements.
  let held = false
  let closed = false
  const requireOpen = () => {
    if (closed) throw new ClosedError()
  }
  const batches = createBatches(connection, () => {
    if (held) return
    batches.commit()
    passOn()
  })

  const passOn = () => {
    if (!batches.open()?.begun) while (lookers.next());
    held = changers.next()
  }

  const take = async () => {
    requireOpen()
    if (held) await changers.join(requireOpen)
    held = true
  }

  const release = () => {
    held = false
    if (batches.open()?.due) batches.commit()
    passOn()
  }

  const inTurn = async <T>(turn: () => Promise<T>): Promise<T> => {
    await take()
    let batch: Batch
    let outcome: () => T
    try {
      batch = batches.join()
      batches.begin(batch)
      outcome = await outcomeOf(turn())
      if (!connection.inTransaction()) batches.abandon(outcome)
    } finally {
      release()
    }
    // Wait for the commit even after a failure, because a change by another caller may have caused the failure.
    await batch.committed
    return outcome()
  }

  const atCommit = <T>(change: () => Eventually<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      batches.join().waiting.push(waitingFor(connection, change, resolve, reject))
    })

  return {
    look: (look) => {
      requireOpen()
      if (!held && !batches.open()?.begun) return look()
      return lookers.join(() => {
        requireOpen()
        return look()
      })
    },
    change: (change) => {
      if (connection.durable && !closed) return atCommit(change)
      return inTurn(async () => change())
    },
    transaction: (body) => inTurn(() => inSavepoint(connection, body)),
    close: async () => {
      await take()
      batches.commit()
      closed = true
      // Start all waiting reads. Otherwise, the reads would wait until they time out.
      while (lookers.next());
      while (changers.next());
    },
  }
}

interface Batches {
  open(): Batch | undefined
  join(): Batch
  /** Starts the batch's transaction if necessary. */
  begin(batch: Batch): void
  commit(): void
  /**
   * Rejects all changes in a batch if an error has ended the batch's transaction. If the disk fails, any statement can
   * end the transaction.
   */
  abandon(failing: () => unknown): void
}

/**
 * Creates the batches for a connection. A connection has only one open batch at a time. `closing` is called when a
 * batch is ready to commit.
 */
function createBatches(connection: SoleConnection, closing: () => void): Batches {
  let batch: Batch | undefined
  const ended = () => {
    const open = batch
    batch = undefined
    return open
  }
  const begin = (opened: Batch) => {
    if (opened.begun) return
    run(connection, 'BEGIN IMMEDIATE')
    opened.begun = true
  }
  const closeAfter = (opened: Batch, turns: number) => {
    const { joined } = opened
    setImmediate(() => {
      if (opened.joined > joined && turns > 1) return closeAfter(opened, turns - 1)
      opened.due = true
      if (batch === opened) closing()
    })
  }
  return {
    open: () => batch,
    join: () => {
      if (batch) {
        batch.joined += 1
        return batch
      }
      batch = createBatch(!connection.durable)
      if (connection.durable) closeAfter(batch, mostTurns)
      return batch
    },
    begin,
    commit: () => {
      const open = ended()
      if (!open) return
      try {
        begin(open)
        for (const one of open.waiting) one.make()
        run(connection, 'COMMIT')
        open.keep()
      } catch (error) {
        // If the commit fails, for example because the disk is full, the transaction remains open.
        if (connection.inTransaction()) run(connection, 'ROLLBACK')
        open.lose(error)
      }
    },
    abandon: (failing) => {
      try {
        failing()
      } catch (error) {
        ended()?.lose(error)
      }
    },
  }
}

async function inSavepoint<T>(connection: SoleConnection, body: () => Promise<T>): Promise<T> {
  run(connection, 'SAVEPOINT member')
  try {
    const result = await body()
    run(connection, 'RELEASE member')
    return result
  } catch (error) {
    if (connection.inTransaction()) for (const undo of undoing) run(connection, undo)
    throw error
  }
}

const undoing = ['ROLLBACK TO member', 'RELEASE member']

/** Prepares and runs a statement that is used frequently. */
function run(connection: SoleConnection, sql: string): void {
  connection.prepare(sql).all([])
}

/** Waits for the work to finish, and returns a function that returns the result or throws the error. */
const outcomeOf = <T>(work: Promise<T>): Promise<() => T> =>
  work.then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error
    },
  )

/** Runs a statement and returns its result after the commit. */
function waitingFor<T>(
  connection: SoleConnection,
  change: () => Eventually<T>,
  resolve: (value: Eventually<T>) => void,
  lose: Waiting['lose'],
): Waiting {
  let tell = () => {}
  return {
    make: () => {
      try {
        const value = change()
        tell = () => resolve(value)
      } catch (error) {
        if (!connection.inTransaction()) throw error
        tell = () => lose(error)
      }
    },
    tell: () => tell(),
    lose,
  }
}

function createBatch(due: boolean): Batch {
  const waiting: Waiting[] = []
  let kept = () => {}
  let lost: Batch['lose'] = () => {}
  const committed = new Promise<void>((resolve, reject) => {
    kept = resolve
    lost = reject
  })
  // All changes in the batch are rejected with the error anyway.
  // This handler prevents an unhandled rejection if no change is waiting for the promise yet.
  committed.catch(() => {})
  const keep = () => {
    for (const one of waiting) one.tell()
    kept()
  }
  const lose = (error: unknown) => {
    for (const one of waiting) one.lose(error)
    lost(error)
  }
  return { committed, waiting, keep, lose, joined: 0, begun: false, due }
}
