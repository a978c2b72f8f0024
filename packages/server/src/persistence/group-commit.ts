import type { Eventually, SoleConnection } from './dialects/dialect.ts'
import { ClosedError } from './failures.ts'
import { createQueue } from './lock.ts'

/** Gives everybody who wants the only connection of a database his turn, and commits what several change at once. */
export interface GroupCommit {
  /** Looks at what is committed. */
  look<T>(look: () => Eventually<T>): Eventually<T>
  /** Runs one statement that changes something; settles once that is committed. */
  change<T>(change: () => Eventually<T>): Promise<T>
  /** Runs a body that happens as a whole or not at all, as if it ran alone; settles once it is committed. */
  transaction<T>(body: () => Promise<T>): Promise<T>
  /** Commits what is open; whoever comes later is refused. */
  close(): Promise<void>
}

/** Changes that are committed together, and whether they are kept. */
interface Batch {
  readonly committed: Promise<void>
  /** What is left to do when it is committed. */
  readonly waiting: Waiting[]
  readonly keep: () => void
  readonly lose: (error: unknown) => void
  /** How many have come to it. */
  joined: number
  /** True once it has a transaction. */
  begun: boolean
  /** True once everybody who could join it has. */
  due: boolean
}

/** One statement that waits for its batch. */
interface Waiting {
  /** @throws what has ended the transaction, and with it the batch. */
  make(): void
  tell(): void
  lose(error: unknown): void
}

/** Turns of the event loop that a batch is open at most, whoever else comes. */
const mostTurns = 5

/**
 * Lets the changes of several callers share one commit: it is the disk that makes one slow, and so all of them wait
 * for it together. Those whose requests arrive in this turn of the event loop make a batch, and so those of the next
 * turns, as long as in each somebody came: callers who wait for one commit all send their next request when it is told.
 * Who changes by one statement leaves it to be run just before the commit, one after the other: that takes half as long
 * as each in the middle of its request. Who needs several runs them at once, in a savepoint of his own. Only when the
 * batch is committed is anybody told how he fared. Who looks while it has a transaction waits: he must not be shown what
 * may still be lost. Without a disk each is committed at once.
 */
export function createGroupCommit(connection: SoleConnection): GroupCommit {
  const lookers = createQueue()
  const changers = createQueue()
  /** Somebody's change is being made: nobody else's may come between its statements. */
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
    // Also of a failure: it may be one because of somebody else's change.
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
      // They would stand in line for as long as patience lasts.
      while (lookers.next());
      while (changers.next());
    },
  }
}

interface Batches {
  open(): Batch | undefined
  join(): Batch
  /** Opens the transaction of a batch that has none yet. */
  begin(batch: Batch): void
  commit(): void
  /** For a transaction that a failure has ended (a disk may do so at any statement), and all it held with it. */
  abandon(failing: () => unknown): void
}

/** The batches of a connection, of which one is open at most. `closing` is called when one should be committed. */
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
        // A commit that fails (the disk is full) leaves the transaction open.
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

/** A statement is done when it returns, and what it came to is told later. */
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
  // Each member is told; that it failed before any has asked is no failure of its own.
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
