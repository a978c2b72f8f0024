import { readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { stripByteOrderMark } from './byte-order-mark.ts'
import { maskAddress } from './domain/mask-address.ts'
import { requireKnownVariables, variablePrefix } from './known-variables.ts'
import { kindOfDatabase } from './persistence/database-address.ts'

/** Log levels, from the most to the least talkative. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/**
 * Everything that can be chosen about a server, in one place.
 *
 * @example
 * ```ts
 * const options: ServerOptions = resolveOptions({ argv: ['--sandbox'], env: process.env })
 * ```
 */
export interface ServerOptions {
  /** Address that the API listens on. */
  host: string
  /** Port of the API; 0 takes a free one. */
  port: number
  /** A file path, `:memory:`, or `postgres://…`. */
  database: string
  /** Connections to PostgreSQL that a process holds at most. */
  databaseConnections: number
  /** Address that clients use, where it differs from the listener's (behind a proxy), without a final slash. */
  publicUrl: string
  /** Serve the sandbox's control interface. */
  sandbox: boolean
  /** Port of the control interface, always on loopback; 0 takes a free one. */
  controlPort: number
  /** Fill an empty database with the demo organisation. */
  seedDemo: boolean
  /** Answer 410 for versions whose sunset date has passed. */
  enforceSunset: boolean
  /** Folder of static documentation served at `/`; empty for none. */
  docs: string
  logLevel: LogLevel
  /** Largest request body, in bytes. */
  bodyLimit: number
  /** Longest wait for the whole of a request's headers, in milliseconds. */
  headersTimeout: number
  /** Longest wait for the whole of a request, and for a client to read on, in milliseconds. */
  requestTimeout: number
  /** Seconds that an access token lasts. */
  tokenLifetime: number
  /** Seconds that a Digest nonce may be used. */
  nonceLifetime: number
  /** Send notifications of the kind `WEBHOOK`; otherwise they only land in the outbox. */
  webhooks: boolean
  /** Let webhooks go to this machine too. */
  webhookLoopback: boolean
  /** Longest wait for the receiver of a webhook, in milliseconds. */
  webhookTimeout: number
  /** Serve metrics in the text format of Prometheus at `/metrics` of the API. */
  metrics: boolean
  /** Longest wait for what is in flight (requests, webhooks) when stopping, in milliseconds. */
  stopTimeout: number
}

interface OptionSpec<T> {
  readonly default: T
  readonly about: string
  readonly parse: (text: string) => T
}

/** A variable that is set to nothing is one that somebody forgot to fill: an empty host would be every address. */
function nonEmpty(expected: string): (value: string) => string {
  return (value) => {
    if (value.trim() !== '') return value
    throw new Error(`must be ${expected}, and is empty: leave it out for the default`)
  }
}

const notEmpty = nonEmpty('a file, :memory: or postgres://…')

/** Looked at before anything is opened: what is refused later would have been told by then. */
function databaseAddress(value: string): string {
  kindOfDatabase(notEmpty(value))
  return value
}

function integer(minimum: number, maximum: number): (value: string) => number {
  return (value) => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < minimum || number > maximum) {
      throw new Error(`must be a whole number from ${minimum} to ${maximum}, not '${value}'`)
    }
    return number
  }
}

function folder(value: string): string {
  if (value === '' || statSync(value, { throwIfNoEntry: false })?.isDirectory()) return value
  throw new Error(`must be a folder that there is, not '${value}'`)
}

/** As it may stand in a header and in a text of JSON, whichever way it was written, and without a final slash. */
function address(value: string): string {
  if (value === '') return value
  const expected = 'an http or https address without a user, a query or a fragment'
  const url = /^\s*https?:\/\/[^?#]+$/i.test(value) && URL.canParse(value) ? new URL(value) : undefined
  if (url && url.username + url.password === '') return url.href.replace(/\/+$/, '')
  throw new Error(`must be ${expected}, not '${maskAddress(value)}'`)
}

function flag(value: string): boolean {
  if (value === 'true' || value === '1') return true
  if (value === 'false' || value === '0') return false
  throw new Error(`must be true or false, not '${value}'`)
}

function logLevel(value: string): LogLevel {
  const level = logLevels.find((known) => known === value)
  if (!level) throw new Error(`must be one of ${logLevels.join(', ')}, not '${value}'`)
  return level
}

/** The table that flags, environment variables, the options file and the documentation are made from. */
export const optionSpecs: { readonly [K in keyof ServerOptions]: OptionSpec<ServerOptions[K]> } = {
  host: {
    default: '127.0.0.1',
    about: 'Address that the API listens on',
    parse: nonEmpty('an address or the name of a host'),
  },
  port: { default: 8080, about: 'Port of the API; 0 takes a free one', parse: integer(0, 65535) },
  database: {
    default: '.svc-admin/server.db',
    about: 'A file, :memory:, or postgres://…',
    parse: databaseAddress,
  },
  databaseConnections: {
    default: 10,
    about: 'Connections to PostgreSQL that a process holds at most',
    parse: integer(1, 1000),
  },
  publicUrl: { default: '', about: 'Address that clients use, where it differs', parse: address },
  sandbox: { default: false, about: 'Serve the control interface on loopback', parse: flag },
  controlPort: { default: 8081, about: 'Port of the control interface', parse: integer(0, 65535) },
  seedDemo: { default: false, about: 'Fill an empty database with the demo organisation', parse: flag },
  enforceSunset: { default: false, about: 'Answer 410 for versions past their sunset', parse: flag },
  docs: { default: '', about: 'Folder of static documentation served at /', parse: folder },
  logLevel: { default: 'info', about: `One of ${logLevels.join(', ')}`, parse: logLevel },
  bodyLimit: { default: 1_048_576, about: 'Largest request body in bytes', parse: integer(1, 1 << 30) },
  headersTimeout: { default: 4000, about: 'Longest wait for headers in ms', parse: integer(100, 600_000) },
  requestTimeout: {
    default: 5000,
    about: 'Longest wait for a request, or for its reader, in ms',
    parse: integer(100, 600_000),
  },
  tokenLifetime: { default: 3600, about: 'Seconds that an access token lasts', parse: integer(1, 86_400) },
  nonceLifetime: { default: 300, about: 'Seconds that a Digest nonce lasts', parse: integer(1, 86_400) },
  webhooks: { default: true, about: 'Send webhook notifications to their receivers', parse: flag },
  webhookLoopback: { default: false, about: 'Let webhooks go to this machine too', parse: flag },
  webhookTimeout: {
    default: 10_000,
    about: 'Longest wait for a receiver in ms',
    parse: integer(100, 60_000),
  },
  metrics: { default: false, about: 'Serve Prometheus metrics at /metrics', parse: flag },
  stopTimeout: {
    default: 10_000,
    about: 'Longest wait for what is in flight when stopping in ms',
    parse: integer(0, 600_000),
  },
}

const names = Object.keys(optionSpecs).filter((name): name is keyof ServerOptions => name in optionSpecs)

/**
 * The command-line flag of an option.
 *
 * @example
 * flagOf('enforceSunset') // 'enforce-sunset'
 */
export const flagOf = (name: string): string => name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)

/**
 * The environment variable of an option.
 *
 * @example
 * variableOf('enforceSunset') // 'SVC_ADMIN_ENFORCE_SUNSET'
 */
export const variableOf = (name: string): string =>
  `${variablePrefix}${name.replace(/[A-Z]/g, (c) => `_${c}`).toUpperCase()}`

/** Names the options file, unless `--config` does. */
const configVariable = variableOf('config')

export interface OptionSources {
  readonly argv?: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Values given in code; they win over everything. One that is `undefined` is not given. */
  readonly values?: { readonly [K in keyof ServerOptions]?: ServerOptions[K] | undefined }
}

/**
 * Settles every option: code, then flags, then environment, then the file named by `--config`, then defaults.
 *
 * @example
 * ```ts
 * resolveOptions({ argv: ['--port', '9000', '--no-sandbox'] }).port // 9000
 * ```
 * @throws {Error} for an unknown option or a value that does not fit, naming the option and where it came from.
 */
export function resolveOptions(sources: OptionSources = {}): ServerOptions {
  const flags = readFlags(sources.argv ?? [])
  const env = sources.env ?? {}
  requireKnownVariables(env, [...names.map(variableOf), configVariable])
  const file = readOptionsFile(flags.config ?? env[configVariable])
  const code = readValues(sources.values ?? {})
  const resolved: Partial<ServerOptions> = {}
  for (const name of names) resolveOption(resolved, name, { code, flags, env, file })
  return withTimeouts(resolved)
}

/** Headers are a part of their request: whoever only shortens the wait for requests means both. */
function withTimeouts(settled: Partial<ServerOptions>): ServerOptions {
  const options = { ...defaults(), ...settled }
  const { headersTimeout, requestTimeout } = options
  if (settled.headersTimeout === undefined) {
    return { ...options, headersTimeout: Math.min(headersTimeout, requestTimeout) }
  }
  if (headersTimeout <= requestTimeout) return options
  throw new Error(
    `'headersTimeout' (${headersTimeout}) must not be above 'requestTimeout' (${requestTimeout}), which it is a part of`,
  )
}

/**
 * Options as they may be printed: no password of an address, neither before its host nor in its query. The public
 * address has none.
 *
 * @example
 * console.log(maskOptions(resolveOptions({ env: process.env })).database) // postgres://user:***@host/name
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
    if (!known) throw new Error(`There is no option '${name}': the options are ${names.join(', ')}`)
    const type = typeof optionSpecs[known].default
    const shown = typeof value === 'string' ? `'${value}'` : String(value)
    if (typeof value !== type) throw new Error(`'${name}' must be a ${type}, not ${shown}`)
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
    // Node goes on with advice: about positional arguments, of which there are none, and in several lines.
    const [said = ''] = messageOf(error).split(/\.\s/)
    const [, ambiguous] = /^Option '(\S+)' argument is ambiguous/.exec(said) ?? []
    const told = ambiguous
      ? `${ambiguous} has no value; one that begins with a dash is written ${ambiguous}=-…`
      : said.replace(/\.$/, '')
    throw new Error(`${told}: svc-admin-server --help lists the options`)
  }
}

function readOptionsFile(path: string | undefined): Record<string, string> {
  if (path === undefined) return {}
  if (path === '')
    throw new Error(`--config or ${configVariable} must name a file, and is empty: leave it out`)
  const { text, content } = parseFile(path)
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new Error(`${path} must hold one JSON object`)
  }
  const entries = Object.entries(content)
  const unknown = entries.find(([name]) => !Object.hasOwn(optionSpecs, name))
  if (unknown) throw new Error(`${path} holds an unknown option '${unknown[0]}'`)
  const nested = entries.find(([, value]) => typeof value === 'object')
  if (nested) throw new Error(`'${nested[0]}' in ${path} must be a text, a number, true or false`)
  const mistyped = names.find(
    (name) => typeof optionSpecs[name].default === 'string' && hasNonString(content, name),
  )
  if (mistyped) throw new Error(`'${mistyped}' in ${path} must be a text`)
  const repeated = fieldNames(text).find((name, index, all) => all.indexOf(name) !== index)
  if (repeated !== undefined) throw new Error(`${path} holds '${repeated}' twice`)
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

/** Whether an object has a member that is no text. */
function hasNonString(content: object, name: string): boolean {
  return Object.entries(content).some(([field, value]) => field === name && typeof value !== 'string')
}

/** The names of the members of a JSON object: the texts that a colon follows. */
function fieldNames(json: string): string[] {
  const texts = json.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?/g)
  return [...texts].flatMap(([, name = '', colon]) => (colon === undefined ? [] : [String(JSON.parse(name))]))
}

function parseFile(path: string): { readonly text: string; readonly content: unknown } {
  try {
    const text = stripByteOrderMark(readFileSync(path)).toString()
    return { text, content: JSON.parse(text) }
  } catch (error) {
    throw new Error(`The options file ${path} cannot be read: ${messageOf(error)}`)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
