import { secretFields } from '#tables/secrets'
import type { ApiRequest, Middleware } from './fetch.ts'
import { tolerate } from './tolerate.ts'

/**
 * A logger that accepts the message first and then the fields, like `console` and most loggers. Pino loggers also
 * work, because the client passes them the fields first. Wrap other loggers that expect the fields first.
 *
 * @example
 * const logger: Logger = {
 *   debug: (message, fields) => console.debug(message, fields),
 *   warn: (message, fields) => console.warn(message, fields),
 * }
 * const log = createLog({ logger })
 */
export interface Logger {
  debug(message: string, fields: LogFields): void
  warn(message: string, fields: LogFields): void
}

/** A log line's fields. Values are included only if their name is known not to be secret. */
export interface LogFields {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly version: string
  readonly attempt: number
  readonly query: Readonly<Record<string, string>>
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly status?: number
  readonly error?: string
  readonly body?: unknown
}

/** Options for `createLog`. */
export interface LogOptions {
  /** Receives each attempt, through `debug` if it succeeded and through `warn` if it failed. */
  readonly logger: Logger
  /** The names of additional headers to log. */
  readonly headers?: readonly string[] | undefined
  /** The names of additional query parameters to log. */
  readonly query?: readonly string[] | undefined
  /** Whether to log request bodies, with write-only fields masked. Default: false. */
  readonly bodies?: boolean | undefined
}

const knownHeaders = [
  'accept',
  'content-type',
  'content-length',
  'date',
  'deprecation',
  'link',
  'retry-after',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'sunset',
  'traceparent',
  'user-agent',
  'vary',
  'x-request-id',
]
const knownQuery = ['envelope', 'includeCount', 'itemsPerPage', 'pageNum', 'pretty', 'status']
const masked = '[masked]'

/**
 * Logs each attempt. The values of headers and query parameters are masked unless their names are allowed, so that
 * new headers don't leak into logs.
 *
 * @example
 * const client = createClient({ ...options, middleware: [createLog({ logger: console })] })
 */
export function createLog({ logger, headers = [], query = [], bodies = false }: LogOptions): Middleware {
  const allowedHeaders = new Set([...knownHeaders, ...headers.map((name) => name.toLowerCase())])
  const allowedQuery = new Set([...knownQuery, ...query])
  const before = (request: ApiRequest): LogFields => ({
    operationId: request.context.operationId,
    method: request.method,
    path: request.context.path,
    version: request.context.version,
    attempt: request.context.attempts,
    query: mask(new URL(request.url).searchParams, allowedQuery),
    requestHeaders: mask(Object.entries(request.headers), allowedHeaders),
    ...(bodies && request.body !== undefined && { body: maskBody(request.body) }),
  })
  const write = (level: keyof Logger, message: string, fields: LogFields): void => {
    void tolerate(() => {
      const write: (first: never, second: never) => void = logger[level].bind(logger)
      // Only pino loggers have `bindings`. They would drop the fields if the message came first.
      return 'bindings' in logger
        ? write(fields as never, message as never)
        : write(message as never, fields as never)
    })
  }
  return async (request, next) => {
    const fields = before(request)
    let response: Response
    try {
      response = await next(request)
    } catch (error) {
      write('warn', 'svc-admin failure', { ...fields, error: error instanceof Error ? error.name : 'Error' })
      throw error
    }
    const responseHeaders = mask(response.headers, allowedHeaders)
    const line = { ...fields, status: response.status, responseHeaders }
    write(response.ok ? 'debug' : 'warn', 'svc-admin response', line)
    return response
  }
}

function mask(entries: Iterable<readonly string[]>, allowed: ReadonlySet<string>): Record<string, string> {
  return Object.fromEntries(
    Array.from(entries, ([name = '', value = '']) => [name, allowed.has(name) ? value : masked]),
  )
}

/** Masks the fields that the specification marks as write-only. A body that isn't JSON is not shown. */
function maskBody(body: string): unknown {
  try {
    return JSON.parse(body, (name, value) => (secretFields.includes(name) ? masked : value))
  } catch {
    return masked
  }
}
