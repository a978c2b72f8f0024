import type { DatabaseDialect } from './dialects/dialect.ts'

/** A row with the same unique key already exists. */
export class DuplicateError extends Error {}

/** The database doesn't respond, is full or is read-only. Callers can retry later. */
export class UnavailableError extends Error {}

/**
 * The server itself closed the database, because it stopped or deleted the world. The error doesn't need to be
 * investigated.
 */
export class ClosedError extends UnavailableError {
  constructor() {
    super('The database has been closed')
  }
}

/** An indexed text is too long. Retrying the request doesn't help. */
export class OversizedError extends Error {}

/** The transaction conflicted with another transaction and didn't change anything. The caller can retry immediately. */
export class ConflictError extends Error {}

/**
 * Runs file operations outside the database.
 *
 * @throws {UnavailableError} if the disk fails.
 */
export function onDisk<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new UnavailableError('unavailable', { cause: error })
  }
}

/** Converts a driver error to one of these errors. Other errors are returned unchanged. */
export function translated(dialect: DatabaseDialect, error: unknown): unknown {
  const kind = dialect.classify(error)
  if (kind === 'unique') return new DuplicateError('duplicate', { cause: error })
  if (kind === 'oversized') return new OversizedError('oversized', { cause: error })
  if (kind === 'conflict') return new ConflictError('conflict', { cause: error })
  return kind === 'unavailable' ? new UnavailableError('unavailable', { cause: error }) : error
}
