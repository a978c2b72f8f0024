import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { limits } from '@svc-admin/types'
import { stripByteOrderMark } from './byte-order-mark.ts'
import { maskAddress } from './domain/mask-address.ts'
import { requireKnownVariables, variablePrefix } from './known-variables.ts'
import {
  address,
  databaseAddress,
  flag,
  folder,
  integer,
  type LogLevel,
  logLevel,
  logLevels,
  networks,
  nonEmpty,
  readableFile,
} from './option-parsers.ts'

export type { LogLevel } from './option-parsers.ts'

/**
 * The options of a server.
 *
 * @example
 * ```ts
 * const options: ServerOptions = resolveOptions({ argv: ['--sandbox'], env: process.env })
 * ```
 */
export interface ServerOptions {
  /** The address that the API listens on. */
  host: string
  /** The port of the API. Use 0 to select a free port. */
  port: number
  /**
   * The port for health checks and metrics, which are always served over HTTP. If this option is 0, health checks and
   * metrics are available on the API's port.
   */
  managementPort: number
  /**
   * The path of a PEM file that contains the TLS certificate and its chain. The server reloads the file when it
   * changes. If this option is empty, the server uses HTTP.
   */
  tlsCertificate: string
  /** The path of a PEM file that contains the certificate's private key. */
  tlsKey: string
  /**
   * The networks of trusted proxies, separated by commas. The server uses the `Forwarded` and `X-Forwarded-For` headers
   * only in requests from these proxies.
   */
  trustedProxies: string
  /** The database, which can be a file path, `:memory:`, or a `postgres://…` address. */
  database: string
  /** The maximum number of PostgreSQL connections for this process. */
  databaseConnections: number
  /**
   * The server's public base URL without a trailing slash. Set this option if the public address differs from the
   * listen address, for example behind a proxy.
   */
  publicUrl: string
  /** Whether to serve the sandbox's control interface. */
  sandbox: boolean
  /** The port of the control interface, which listens only on loopback. Use 0 to select a free port. */
  controlPort: number
  /** Whether to add the demo organization to an empty database. */
  seedDemo: boolean
  /** Whether to return 410 for versions after their sunset date. */
  enforceSunset: boolean
  /**
   * The folder with static documentation to serve at `/`. If this option is empty, the server doesn't serve
   * documentation.
   */
  docs: string
  /**
   * The base URL of documentation on another host, which error responses link to. If this option is empty, error
   * responses contain no links.
   */
  docsUrl: string
  logLevel: LogLevel
  /** The maximum size of a request body, in bytes. */
  bodyLimit: number
  /** The maximum time for a client to send all headers of a request, in milliseconds. */
  headersTimeout: number
  /** The maximum time for a client to send a request, and also to read the response, in milliseconds. */
  requestTimeout: number
  /** The lifetime of access tokens, in seconds. */
  tokenLifetime: number
  /** The lifetime of Digest nonces, in seconds. */
  nonceLifetime: number
  /** Whether to send `WEBHOOK` notifications. If false, `WEBHOOK` notifications are only stored in the outbox. */
  webhooks: boolean
  /** Whether to allow webhooks to loopback addresses. */
  webhookLoopback: boolean
  /** The maximum time for a webhook receiver to respond, in milliseconds. */
  webhookTimeout: number
  /** Whether to serve Prometheus metrics at `/metrics`. */
  metrics: boolean
  /** The maximum time to wait for in-progress requests and webhooks when the server stops, in milliseconds. */
  stopTimeout: number
}

interface OptionSpec<T> {
  readonly default: T
  readonly about: string
  readonly parse: (text: string) => T
}

/** The options. The flags, environment variables, options file and documentation are all based on this table. */
export const optionSpecs: { readonly [K in keyof ServerOptions]: OptionSpec<ServerOptions[K]> } = {
  host: {
    default: '127.0.0.1',
    about: 'Address that the API listens on',
    parse: nonEmpty('an address or a hostname'),
  },
  port: { default: 8080, about: 'Port for the API. Use 0 to select a free port', parse: integer(0, 65535) },
  managementPort: {
    default: 0,
    about: "Port for /healthz, /readyz and /metrics. Use 0 to share the API's port",
    parse: integer(0, 65535),
  },
  tlsCertificate: { default: '', about: 'PEM file with the TLS certificate chain', parse: readableFile },
  tlsKey: { default: '', about: "PEM file with the TLS certificate's private key", parse: readableFile },
  trustedProxies: {
    default: '',
    about: 'Addresses of proxies whose forwarding headers are trusted, such as 10.0.0.0/8,::1',
    parse: networks,
  },
  database: {
    default: '.svc-admin/server.db',
    about: 'Database: a file, :memory:, or postgres://…',
    parse: databaseAddress,
  },
  databaseConnections: {
    default: 10,
    about: 'Maximum number of PostgreSQL connections',
    parse: integer(1, 1000),
  },
  publicUrl: { default: '', about: 'Public base URL, if it differs from the listen address', parse: address },
  sandbox: { default: false, about: 'Serve the sandbox control interface on loopback', parse: flag },
  controlPort: { default: 8081, about: 'Control interface port', parse: integer(0, 65535) },
  seedDemo: { default: false, about: 'Add the demo organization to an empty database', parse: flag },
  enforceSunset: {
    default: false,
    about: 'Return 410 for versions whose sunset date has passed',
    parse: flag,
  },
  docs: { default: '', about: 'Serve the static documentation in this folder at /', parse: folder },
  docsUrl: { default: '', about: 'Base URL of documentation hosted elsewhere', parse: address },
  logLevel: { default: 'info', about: `Log level: ${logLevels.join(', ')}`, parse: logLevel },
  bodyLimit: {
    default: limits.body.bytes,
    about: 'Maximum request body size in bytes',
    parse: integer(1, 1 << 30),
  },
  headersTimeout: {
    default: 4000,
    about: 'Maximum time to receive the headers, in ms',
    parse: integer(100, 600_000),
  },
  requestTimeout: {
    default: 5000,
    about: 'Maximum time to receive a request or send its response, in ms',
    parse: integer(100, 600_000),
  },
  tokenLifetime: {
    default: 3600,
    about: 'Access token lifetime in seconds',
    parse: integer(1, 86_400),
  },
  nonceLifetime: { default: 300, about: 'Digest nonce lifetime in seconds', parse: integer(1, 86_400) },
  webhooks: { default: true, about: 'Send webhook notifications', parse: flag },
  webhookLoopback: { default: false, about: 'Allow webhooks to be sent to this machine', parse: flag },
  webhookTimeout: {
    default: 10_000,
    about: 'Maximum time for a receiver to respond, in ms',
    parse: integer(100, 60_000),
  },
  metrics: { default: false, about: 'Serve Prometheus metrics at /metrics', parse: flag },
  stopTimeout: {
    default: 10_000,
    about: 'Maximum time to finish in-flight work when stopping, in ms',
    parse: integer(0, 600_000),
  },
}

const names = Object.keys(optionSpecs).filter((name): name is keyof ServerOptions => name in optionSpecs)

/**
 * Returns an option's command-line flag.
 *
 * @example
 * flagOf('enforceSunset') // 'enforce-sunset'
 */
export const flagOf = (name: string): string => name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)

/**
 * Returns an option's environment variable.
 *
 * @example
 * variableOf('enforceSunset') // 'SVC_ADMIN_ENFORCE_SUNSET'
 */
export const variableOf = (name: string): string =>
  `${variablePrefix}${name.replace(/[A-Z]/g, (c) => `_${c}`).toUpperCase()}`

/**
 * The environment variable with the path of the options file. If the `--config` flag is set, this variable is ignored.
 */
const configVariable = variableOf('config')

export interface OptionSources {
  readonly argv?: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  /**
   * Values that are set in code and override all other sources. A value of `undefined` means that the option isn't set
   * in code.
   */
  readonly values?: { readonly [K in keyof ServerOptions]?: ServerOptions[K] | undefined }
}

/**
 * Resolves all options. In order of precedence, the sources are values set in code, flags, environment variables, and
 * the options file.
 *
 * @example
 * ```ts
 * resolveOptions({ argv: ['--port', '9000', '--no-sandbox'] }).port // 9000
 * ```
 *
 * @throws {Error} for an unknown option or an invalid value. The error message contains the option and its source.
 */
export function resolveOptions(sources: OptionSources = {}): ServerOptions {
  const flags = readFlags(sources.argv ?? [])
  const env = sources.env ?? {}
  requireKnownVariables(env, [...names.map(variableOf), configVariable])
  const file = readOptionsFile(flags.config ?? env[configVariable])
  const code = readValues(sources.values ?? {})
  const resolved: Partial<ServerOptions> = {}
  for (const name of names) resolveOption(resolved, name, { code, flags, env, file })
  return withTls(withTimeouts(resolved))
}

function withTls(options: ServerOptions): ServerOptions {
  if ((options.tlsCertificate === '') === (options.tlsKey === '')) return options
  throw new Error("TLS requires both 'tlsCertificate' and 'tlsKey'")
}

/** Limits the headers timeout to the request timeout, which includes the time for receiving headers. */
function withTimeouts(settled: Partial<ServerOptions>): ServerOptions {
  const options = { ...defaults(), ...settled }
  const { headersTimeout, requestTimeout } = options
  if (settled.headersTimeout === undefined) {
    return { ...options, headersTimeout: Math.min(headersTimeout, requestTimeout) }
  }
  if (headersTimeout <= requestTimeout) return options
  throw new Error(`'headersTimeout' (${headersTimeout}) must be at most 'requestTimeout' (${requestTimeout})`)
}

/**
 * Returns a copy of the options that is safe to print. Masks only the database password, because the public URL can't
 * contain a password.
 *
 * @example console.log(maskOptions(resolveOptions({ env: process.env })).database) // postgres://user:***@host/name
 */
export function maskOptions(options: ServerOptions): ServerOptions {
  return { ...options, database: maskAddress(options.database) }
}

function defaults(): ServerOptions {
  const entries = names.map((name) => [name, optionSpecs[name].default])
  return Object.fromEntries(entries)
}

interface RawSources {
  readonly code: Readonly<Record<string, string>>
  readonly flags: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly file: Readonly<Record<string, string>>
}

function resolveOption<K extends keyof ServerOptions>(
  into: Partial<ServerOptions>,
  name: K,
  from: RawSources,
): void {
  const candidates: [string, string | undefined][] = [
    [`'${name}'`, from.code[name]],
    [`--${flagOf(name)}`, from.flags[flagOf(name)]],
    [variableOf(name), from.env[variableOf(name)]],
    [`'${name}' in the options file`, from.file[name]],
  ]
  const found = candidates.find(([, value]) => value !== undefined)
  if (found?.[1] === undefined) return
  try {
    into[name] = optionSpecs[name].parse(found[1])
  } catch (error) {
    throw new Error(`${found[0]} ${messageOf(error)}`)
  }
}

function readValues(values: object): Record<string, string> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  for (const [name, value] of entries) {
    const known = names.find((each) => each === name)
    if (!known) throw new Error(`Unknown option '${name}'. The options are ${names.join(', ')}`)
    const type = typeof optionSpecs[known].default
    const shown = typeof value === 'string' ? `'${value}'` : String(value)
    if (typeof value !== type) throw new Error(`'${name}' must be a ${type}, but is ${shown}`)
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

function readFlags(argv: readonly string[]): Record<string, string> {
  const options: Record<string, { type: 'string' | 'boolean' }> = { config: { type: 'string' } }
  for (const name of names) {
    const boolean = typeof optionSpecs[name].default === 'boolean'
    options[flagOf(name)] = { type: boolean ? 'boolean' : 'string' }
  }
  try {
    const { values } = parseArgs({ args: [...argv], options, allowNegative: true, strict: true })
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
  } catch (error) {
    // Omit the rest of Node's message, because it's about positional arguments, which this command doesn't have.
    const [summary = ''] = messageOf(error).split(/\.\s/)
    const [, ambiguous] = /^Option '(\S+)' argument is ambiguous/.exec(summary) ?? []
    const message = ambiguous
      ? `${ambiguous} has no value. To pass a value that starts with a dash, write ${ambiguous}=-…`
      : `${summary.replace(/\.$/, '')}.`
    throw new Error(`${message} Run svc-admin-server --help for the options`)
  }
}

function readOptionsFile(path: string | undefined): Record<string, string> {
  if (path === undefined) return {}
  if (path === '')
    throw new Error(`--config or ${configVariable} must be a file name, but is empty. Omit it to use no file`)
  const { text, content } = parseFile(path)
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new Error(`${path} must contain a JSON object`)
  }
  const entries = Object.entries(content)
  const unknown = entries.find(([name]) => !Object.hasOwn(optionSpecs, name))
  if (unknown) throw new Error(`${path} contains the unknown option '${unknown[0]}'`)
  const nested = entries.find(([, value]) => typeof value === 'object')
  if (nested) throw new Error(`'${nested[0]}' in ${path} must be a string, a number, or a boolean`)
  const mistyped = names.find(
    (name) => typeof optionSpecs[name].default === 'string' && hasNonString(content, name),
  )
  if (mistyped) throw new Error(`'${mistyped}' in ${path} must be a string`)
  const repeated = fieldNames(text).find((name, index, all) => all.indexOf(name) !== index)
  if (repeated !== undefined) throw new Error(`${path} contains '${repeated}' twice`)
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

function hasNonString(content: object, name: string): boolean {
  return Object.entries(content).some(([field, value]) => field === name && typeof value !== 'string')
}

/** Returns all property names in a JSON text, including duplicates. A property name is a string before a colon. */
function fieldNames(json: string): string[] {
  const texts = json.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?/g)
  return [...texts].flatMap(([, name = '', colon]) => (colon === undefined ? [] : [String(JSON.parse(name))]))
}

function parseFile(path: string): { readonly text: string; readonly content: unknown } {
  try {
    const text = stripByteOrderMark(readFileSync(path)).toString()
    return { text, content: JSON.parse(text) }
  } catch (error) {
    throw new Error(`Can't read the options file ${path}: ${messageOf(error)}`)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
