import { withoutSecrets } from '../domain/mask-address.ts'
import { ClosedError, UnavailableError } from '../persistence/database.ts'
import type { Log } from './log.ts'

/** Tells the log why the database was not there, without a line for each of the requests that had to be refused. */
export interface OutageLog {
  /** Counts a failure if it is one of the database; false if it is another. That we closed it ourselves is no outage. */
  report(error: unknown): boolean
  /** Tells what was counted and not told yet. */
  stop(): void
}

export interface OutageLogOptions {
  /** Milliseconds between two lines about an outage that goes on, and without failures until it is over. */
  readonly interval?: number
  /** Takes what nobody may read out of the words of a driver. */
  readonly mask: (text: string) => string
}

/** What is known of the failures of one kind. */
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
 * Builds what tells the log of the database's failures: of each kind the first one, at intervals how many there have
 * been since, and when an interval went by without one.
 */
export function createOutageLog(log: Log, { interval = defaultInterval, mask }: OutageLogOptions): OutageLog {
  const open = new Map<string, Outage>()
  let timer: NodeJS.Timeout | undefined
  const look = () => {
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
    timer ??= setInterval(look, interval).unref()
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

/** At `warn`: who reads of the beginning must read of the end, but nobody is to be woken by it. */
function logEnd(log: Log, { code, failures, began, lastAt }: Outage, interval: number): void {
  log.warn('database outage over', {
    code,
    failures,
    seconds: Math.round((lastAt - began) / 1000),
    quietSeconds: Math.round(interval / 1000),
  })
}

/** What the system, the driver or the database itself called it: the innermost cause. */
export function rootCauseOf(error: Error): { readonly code: string; readonly message: string } {
  let inner: Error = error
  while (inner.cause instanceof Error) inner = inner.cause
  // Several addresses of one name fail with one failure each, and the whole says nothing.
  const first: unknown = inner instanceof AggregateError ? inner.errors[0] : inner
  const message = first instanceof Error ? first.message : String(first)
  return { code: codeOf(inner) || codeOf(first), message }
}

/** A failure of the database in the words of a program that cannot begin without it; any other is left as it is. */
export function describeDatabaseFailure(error: unknown, address: string): unknown {
  if (!(error instanceof UnavailableError)) return error
  const why = withoutSecrets(rootCauseOf(error).message, address)
  return new Error(`The database cannot be used: ${why}`, { cause: error })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
