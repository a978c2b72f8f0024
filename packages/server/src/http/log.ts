import type { LogLevel } from '../options.ts'

/** The fields of a log line. For security reasons, log lines must not include secrets, headers or bodies. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

export interface Log {
  /** Whether `info` lines are logged. If `informs` is false, callers don't need to build the fields. */
  readonly informs: boolean
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  flush(): void
}

const order = ['debug', 'info', 'warn', 'error', 'silent']
const bufferBytes = 16_384
const bufferMilliseconds = 100

/**
 * Creates a log that writes JSON lines. Lines are buffered briefly, because one system call per line would take as long
 * as processing the request.
 */
export function createLog(level: LogLevel, write: (text: string) => void): Log {
  let buffered = ''
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const text = buffered
    buffered = ''
    if (text !== '') write(text)
  }
  const line =
    (name: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (order.indexOf(name) < order.indexOf(level)) return
      buffered += `${JSON.stringify({ time: new Date().toISOString(), level: name, message, ...fields })}\n`
      if (buffered.length >= bufferBytes) flush()
      else timer ??= setTimeout(flush, bufferMilliseconds).unref()
    }
  const informs = order.indexOf('info') >= order.indexOf(level)
  return { informs, info: line('info'), warn: line('warn'), error: line('error'), flush }
}
