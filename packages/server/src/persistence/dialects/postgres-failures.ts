import type { FailureKind } from './dialect.ts'

/** SQLSTATE codes and error classes (PostgreSQL documentation, appendix A). */
const unique = '23505'
/** The code `program_limit_exceeded`. Requests cause this error only if a text is too long for an index entry. */
const oversized = '54000'
/** The codes `serialization_failure` and `deadlock_detected`. */
const conflicts = ['40001', '40P01']
/**
 * Error classes for lost connections, insufficient resources, operator intervention (such as a shutdown), system
 * errors, and invalid or revoked logins.
 */
const unavailable = ['08', '53', '57', '58', '28']
/**
 * The codes `lock_not_available`, `idle_in_transaction_session_timeout`, `transaction_timeout`,
 * `read_only_sql_transaction` and `invalid_catalog_name`.
 */
const unavailableToo = ['55P03', '25P03', '25P04', '25006', '3D000']
/**
 * The codes for an unavailable database whose connection can still be used, such as `query_canceled` and codes for
 * insufficient resources.
 */
const survivable = ['57014', '53100', '53200', '53400', '55P03', '25006']

/** Node's error codes for socket and DNS failures. */
const socketFailures =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN)|ENOTFOUND|EAI_AGAIN|ENOENT|EMFILE)$/

/** The messages of errors that are created by the driver itself. The driver's own errors have no code. */
const driverFailures =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered|Client was closed|Query read timeout|The server does not support SSL)/

/**
 * Thrown if a connection couldn't be opened. When a connection is opened, some codes mean that the login was rejected,
 * such as 55000 if `allow_connections` is off. In a transaction, the same codes mean that a statement is invalid.
 */
export class NoConnection extends Error {}

/** Classifies a driver error. Returns undefined for errors of any other kind. */
export function classifyPostgres(error: unknown): FailureKind | undefined {
  if (error instanceof NoConnection) return 'unavailable'
  const code = codeOf(error)
  if (code === unique) return 'unique'
  if (code === oversized) return 'oversized'
  if (conflicts.includes(code)) return 'conflict'
  const known = unavailableToo.includes(code) || (isState(code) && unavailable.includes(code.slice(0, 2)))
  return known || isDriverFailure(error) ? 'unavailable' : undefined
}

/** Returns whether an error makes the connection unusable or leaves its state unknown. */
export function isLostConnection(error: unknown): boolean {
  return classifyPostgres(error) === 'unavailable' && !survivable.includes(codeOf(error))
}

/**
 * The codes for connections closed by the other side: `admin_shutdown`, `crash_shutdown`, `database_dropped`,
 * `idle_session_timeout`, and Node's socket errors.
 */
const endings = ['57P01', '57P02', '57P04', '57P05', 'ECONNRESET', 'ECONNABORTED', 'EPIPE']
const endingsOfDriver = /^(Connection terminated|Client has encountered|Client was closed)/

/** Returns whether the connection was closed before the database responded. */
export function isDeadConnection(error: unknown): boolean {
  return endings.includes(codeOf(error)) || (error instanceof Error && endingsOfDriver.test(error.message))
}

function isDriverFailure(error: unknown): boolean {
  if (socketFailures.test(codeOf(error))) return true
  return error instanceof Error && driverFailures.test(error.message)
}

const isState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code)

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
