import { secretFields } from '#tables/secrets'
import type { ApiRequest, Middleware } from './fetch.ts'
import { tolerateNow } from './tolerate.ts'

/**
 * A logger that accepts the message first and then the fields, like `console` and most loggers. The client also
 * supports pino loggers, which receive the fields first. Other loggers that expect the fields first must be wrapped.
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
  /**
   * If this function returns false, the client doesn't create the fields. Pino and winston loggers have this function.
   */
  isLevelEnabled?(level: string): boolean
}

/** The fields of a log line. Headers and query parameters are masked unless their names are known to be harmless. */
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
  /** Receives a message for each attempt, at level `debug` if the attempt succeeded or `warn` if it failed. */
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
  'connection',
  'content-encoding',
  'content-type',
  'content-length',
  'date',
  'deprecation',
  'keep-alive',
  'link',
  'retry-after',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'sunset',
  'traceparent',
  'transfer-encoding',
  'user-agent',
  'vary',
  'x-request-id',
]
const knownQuery = ['envelope', 'includeCount', 'itemsPerPage', 'pageNum', 'pretty', 'status']
const masked = '[masked]'

/**
 * Logs each attempt. The values of headers and query parameters are masked unless their names are allowed. Masking by
 * default keeps new headers out of logs.
 *
 * @example
 * const client = createClient({ ...options, middleware: [createLog({ logger: console })] })
 */
export function createLog({ logger, headers = [], query = [], bodies = false }: LogOptions): Middleware {
  const allowedHeaders = new Set([...knownHeaders, ...headers.map((name) => name.toLowerCase())])
  const allowedQuery = new Set([...knownQuery, ...query])
  // Only pino loggers have `bindings`. A pino logger would drop the fields if the message came first.
  const fieldsFirst = 'bindings' in logger
  const write = (
    level: 'debug' | 'warn',
    { method, url, headers: sent, body, context }: ApiRequest,
    attempt: number,
    result: Response | string,
  ): unknown => {
    if (logger.isLevelEnabled?.(level) === false) return undefined
    const { operationId, path, version } = context
    const response = typeof result === 'string' ? undefined : result
    const message = response ? 'svc-admin response' : 'svc-admin failure'
    const fields: { -readonly [Name in keyof LogFields]: LogFields[Name] } = {
      operationId,
      method,
      path,
      version,
      attempt,
      query: url.includes('?') ? mask(new URL(url).searchParams, allowedQuery) : {},
      requestHeaders: mask(Object.entries(sent), allowedHeaders),
    }
    if (bodies && body !== undefined) fields.body = maskBody(body)
    if (response) {
      fields.status = response.status
      fields.responseHeaders = mask(response.headers, allowedHeaders)
    } else fields.error = result as string
    return fieldsFirst ? logger[level](fields as never, message as never) : logger[level](message, fields)
  }
  return async (request, next) => {
    // Read the count now because the next attempt increments it.
    const { attempts } = request.context
    let response: Response
    try {
      response = await next(request)
    } catch (error) {
      const name = error instanceof Error ? error.name : 'Error'
      tolerateNow(() => write('warn', request, attempts, name))
      throw error
    }
    tolerateNow(() => write(response.ok ? 'debug' : 'warn', request, attempts, response))
    return response
  }
}

function mask(entries: Iterable<readonly string[]>, allowed: ReadonlySet<string>): Record<string, string> {
  const shown: Record<string, string> = {}
  for (const [name = '', value = ''] of entries) shown[name] = allowed.has(name) ? value : masked
  return shown
}

/** Masks the fields that the specification marks as write-only. Bodies that aren't JSON are masked completely. */
function maskBody(body: string): unknown {
  try {
    return JSON.parse(body, (name, value) => (secretFields.includes(name) ? masked : value))
  } catch {
    return masked
  }
}
