import { withoutSecrets } from '../domain/mask-address.ts'
import { ClosedError, UnavailableError } from '../persistence/database.ts'
import type { Log } from './log.ts'

/** Logs database outages instead of individual failed requests. */
export interface OutageLog {
  /**
   * Returns whether an error is a database failure and, if so, counts the failure. Failures aren't counted after the
   * server has closed its database.
   */
  report(error: unknown): boolean
  /** Logs the number of failures since the last log line. */
  stop(): void
}

export interface OutageLogOptions {
  /**
   * The number of milliseconds between two log lines during an outage. The outage ends after one interval without
   * failures.
   */
  readonly interval?: number
  /** Masks the secrets in a database driver's message. */
  readonly mask: (text: string) => string
}

/** An outage consists of all failures with the same code. */
interface Outage {
  readonly code: string
  failure: string
  readonly began: number
  lastAt: number
  failures: number
  unreported: number
}

const defaultInterval = 30_000

/**
 * Creates the outage log. Logs the first failure of each kind. Then logs the number of additional failures at regular
 * intervals. Logs the end of the outage after an interval without failures.
 */
export function createOutageLog(log: Log, { interval = defaultInterval, mask }: OutageLogOptions): OutageLog {
  const open = new Map<string, Outage>()
  let timer: NodeJS.Timeout | undefined
  const check = () => {
    for (const outage of open.values()) {
      if (outage.unreported > 0) logOngoing(log, outage)
      else {
        open.delete(outage.code)
        logEnd(log, outage, interval)
      }
    }
    if (open.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  const begin = (code: string, failure: string) => {
    const now = performance.now()
    open.set(code, { code, failure, began: now, lastAt: now, failures: 1, unreported: 0 })
    log.error('database unavailable', { code, failure })
    timer ??= setInterval(check, interval).unref()
  }
  return {
    report: (error) => {
      if (!(error instanceof UnavailableError)) return false
      if (error instanceof ClosedError) return true
      const { code, message } = rootCauseOf(error)
      const failure = mask(message)
      const kind = code || failure
      const outage = open.get(kind)
      if (!outage) begin(kind, failure)
      else {
        outage.failures += 1
        outage.unreported += 1
        outage.lastAt = performance.now()
        outage.failure = failure
      }
      return true
    },
    stop: () => {
      clearInterval(timer)
      for (const outage of open.values()) if (outage.unreported > 0) logOngoing(log, outage)
      open.clear()
    },
  }
}

function logOngoing(log: Log, outage: Outage): void {
  const { code, failure, unreported: failures } = outage
  log.error('database still unavailable', { code, failure, failures })
  outage.unreported = 0
}

/** Logs the end of an outage. The level is `warn`, because the line must be visible but must not trigger an alert. */
function logEnd(log: Log, { code, failures, began, lastAt }: Outage, interval: number): void {
  log.warn('database available again', {
    code,
    failures,
    seconds: Math.round((lastAt - began) / 1000),
    quietSeconds: Math.round(interval / 1000),
  })
}

/** Returns the code and message of the innermost cause. */
export function rootCauseOf(error: Error): { readonly code: string; readonly message: string } {
  let inner: Error = error
  while (inner.cause instanceof Error) inner = inner.cause
  // If a hostname has several addresses, Node reports an aggregate error that contains one error per address.
  // The aggregate error itself has no useful message.
  const first: unknown = inner instanceof AggregateError ? inner.errors[0] : inner
  const message = first instanceof Error ? first.message : String(first)
  return { code: codeOf(inner) || codeOf(first), message }
}

/** Converts a database failure to an error message for the command line, and returns all other errors unchanged. */
export function describeDatabaseFailure(error: unknown, address: string): unknown {
  if (!(error instanceof UnavailableError)) return error
  const why = withoutSecrets(rootCauseOf(error).message, address)
  return new Error(`The database cannot be used: ${why}`, { cause: error })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
