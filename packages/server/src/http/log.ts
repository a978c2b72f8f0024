import type { LogLevel } from '../options.ts'

/** Members of a line of the log. Never a secret, a header or a body. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

export interface Log {
  /** Whether lines of `info` are written at all: what nobody reads need not be put together. */
  readonly informs: boolean
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** Writes out what is held back. */
  flush(): void
}

const order = ['debug', 'info', 'warn', 'error', 'silent']
const holdBytes = 16_384
const holdMilliseconds = 100

/**
 * Builds a log of JSON lines. They are held back for a moment and written together: a system call for each would
 * cost as much as the request.
 */
export function createLog(level: LogLevel, write: (text: string) => void): Log {
  let held = ''
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const text = held
    held = ''
    if (text !== '') write(text)
  }
  const line =
    (name: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (order.indexOf(name) < order.indexOf(level)) return
      held += `${JSON.stringify({ time: new Date().toISOString(), level: name, message, ...fields })}\n`
      if (held.length >= holdBytes) flush()
      else timer ??= setTimeout(flush, holdMilliseconds).unref()
    }
  const informs = order.indexOf('info') >= order.indexOf(level)
  return { informs, info: line('info'), warn: line('warn'), error: line('error'), flush }
}
