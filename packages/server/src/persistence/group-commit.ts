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
  /** How many have joined who opened it. */
  joined: number
  /** True once everybody who could join it has. */
  due: boolean
}

/** Turns of the event loop that a batch is open at most, whoever else comes. */
const mostTurns = 5

/**
 * Lets the changes of several callers share one commit: it is the disk that makes one slow, and so all of them wait
 * for it together. The first opens a transaction; those whose requests arrive in this turn of the event loop join it,
 * each in a savepoint of his own, and so those of the next turns, as long as in each somebody came: callers who wait
 * for one commit all send their next request when it is told. Only when it is committed is anybody told how he fared.
 * Who looks meanwhile waits: he must not be shown what may still be lost. Without a disk each is committed at once.
 */
export function createGroupCommit(connection: SoleConnection): GroupCommit {
  const lookers = createLine()
  const changers = createLine()
  /** Somebody's change is being made: nobody else's may come between its statements. */
  let held = false
  const batches = createBatches(connection, () => {
    if (held) return
    batches.commit()
    passOn()
  })

  const passOn = () => {
    if (!batches.open()) while (lookers.next());
    held = changers.next()
  }

  const take = async () => {
    if (held) await changers.join(() => {})
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
      batch = batches.join() ?? batches.begin()
      outcome = await outcomeOf(turn())
      if (!connection.inTransaction()) batches.abandon(outcome)
    } finally {
      release()
    }
    // Also of a failure: it may be one because of somebody else's change.
    await batch.committed
    return outcome()
  }

  return {
    look: (look) => (held || batches.open() ? lookers.join(look) : look()),
    change: (change) => inTurn(async () => change()),
    transaction: (body) => inTurn(() => inSavepoint(connection, body)),
    close: async () => {
      await take()
      batches.commit()
    },
  }
}

interface Batches {
  open(): Batch | undefined
  join(): Batch | undefined
  begin(): Batch
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
      if (batch) batch.joined += 1
      return batch
    },
    begin: () => {
      run(connection, 'BEGIN IMMEDIATE')
      batch = createBatch(!connection.durable)
      if (connection.durable) closeAfter(batch, mostTurns)
      return batch
    },
    commit: () => {
      const open = ended()
      if (!open) return
      try {
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

function createBatch(due: boolean): Batch {
  let keep = () => {}
  let lose: Batch['lose'] = () => {}
  const committed = new Promise<void>((resolve, reject) => {
    keep = resolve
    lose = reject
  })
  // Each member is told; that it failed before any has asked is no failure of its own.
  committed.catch(() => {})
  return { committed, keep, lose, joined: 0, due }
}
