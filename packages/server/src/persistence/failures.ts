import type { DatabaseDialect } from './dialects/dialect.ts'

/** A row that should be the only one of its key was there already. */
export class DuplicateError extends Error {}

/** The database does not answer, is full or may not be written: worth trying again later. */
export class UnavailableError extends Error {}

/** We closed the database ourselves, at a stop or with the world that it is of: nothing that anybody has to look into. */
export class ClosedError extends UnavailableError {
  constructor() {
    super('The database has been closed')
  }
}

/** A text is longer than what is found by it may be: never worth trying again. */
export class OversizedError extends Error {}

/** The transaction lost against another one and changed nothing: worth running again at once. */
export class ConflictError extends Error {}

/** Does what needs the disk beside the database. @throws {UnavailableError} */
export function onDisk<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new UnavailableError('unavailable', { cause: error })
  }
}

/** A failure of the driver in words of ours; any other is left as it is. */
export function translated(dialect: DatabaseDialect, error: unknown): unknown {
  const kind = dialect.classify(error)
  if (kind === 'unique') return new DuplicateError('duplicate', { cause: error })
  if (kind === 'oversized') return new OversizedError('oversized', { cause: error })
  if (kind === 'conflict') return new ConflictError('conflict', { cause: error })
  return kind === 'unavailable' ? new UnavailableError('unavailable', { cause: error }) : error
}
