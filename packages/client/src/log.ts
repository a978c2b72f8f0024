import { secretFields } from '#tables/secrets'
import type { ApiRequest, Middleware } from './fetch.ts'
import { tolerate } from './tolerate.ts'

/**
 * What `console` and most loggers have: the message, then the fields. A logger that takes them the other way round, as
 * pino does, drops the fields in silence; wrap it.
 *
 * @example
 * import { pino } from 'pino'
 * const lines = pino()
 * const logger: Logger = {
 *   debug: (message, fields) => lines.debug(fields, message),
 *   warn: (message, fields) => lines.warn(fields, message),
 * }
 */
export interface Logger {
  debug(message: string, fields: LogFields): void
  warn(message: string, fields: LogFields): void
}

/** One line: only what is known to be no secret. */
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

/** Settings of `createLog`. */
export interface LogOptions {
  /** Told of each attempt: by `debug` where it succeeded, else by `warn`. */
  readonly logger: Logger
  /** Names of headers that are logged besides the known ones. */
  readonly headers?: readonly string[] | undefined
  /** Names of query parameters that are logged besides the known ones. */
  readonly query?: readonly string[] | undefined
  /** Whether request bodies are logged, with write-only fields masked; they are not by default. */
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
  'vary',
  'x-request-id',
]
const knownQuery = ['envelope', 'includeCount', 'itemsPerPage', 'pageNum', 'pretty', 'status']
const masked = '[masked]'

/**
 * Logs each attempt. What is not on the list of names is masked, so that a header which somebody invents
 * tomorrow does not end up in a log.
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
    void tolerate(() => logger[level](message, fields))
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

/** Fields that the specification marks as write-only are masked; a body that is not JSON is not shown. */
function maskBody(body: string): unknown {
  try {
    return JSON.parse(body, (name, value) => (secretFields.includes(name) ? masked : value))
  } catch {
    return masked
  }
}
