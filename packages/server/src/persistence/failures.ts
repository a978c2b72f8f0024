import type { DatabaseDialect } from './dialects/dialect.ts'

/** Thrown if a row with the same unique key already exists. */
export class DuplicateError extends Error {}

/** Thrown if the database doesn't respond, is full or is read-only. Callers can retry later. */
export class UnavailableError extends Error {}

/**
 * Thrown if the server itself closed the database because the server stopped or the world was deleted. There is no need
 * to investigate this error.
 */
export class ClosedError extends UnavailableError {
  constructor() {
    super('The database has been closed')
  }
}

/** Thrown if an indexed text is too long. Retrying doesn't help. */
export class OversizedError extends Error {}

/**
 * Thrown if a transaction conflicts with another one. The transaction had no effect, so the caller can retry
 * immediately.
 */
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

/** Converts a driver error to one of the errors in this file, and returns all other errors unchanged. */
export function translated(dialect: DatabaseDialect, error: unknown): unknown {
  const kind = dialect.classify(error)
  if (kind === 'unique') return new DuplicateError('duplicate', { cause: error })
  if (kind === 'oversized') return new OversizedError('oversized', { cause: error })
  if (kind === 'conflict') return new ConflictError('conflict', { cause: error })
  return kind === 'unavailable' ? new UnavailableError('unavailable', { cause: error }) : error
}
