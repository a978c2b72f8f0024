import { parseArgs } from 'node:util'
import type { Selection } from '../engine/plan.ts'
import { Misconfiguration } from '../engine/signals.ts'
import { demoTarget } from '../target/demo.ts'
import { readTarget } from '../target/file.ts'
import type { Target } from '../target/target.ts'

const text = { type: 'string' } as const
const texts = { type: 'string', multiple: true } as const
const flag = { type: 'boolean' } as const

const options = {
  'base-url': text,
  target: text,
  control: text,
  area: texts,
  operation: texts,
  version: texts,
  requirement: texts,
  shard: text,
  seed: text,
  parallel: { type: 'string', short: 'j' },
  rate: text,
  strict: flag,
  smoke: flag,
  'read-only': flag,
  'require-all': flag,
  'yes-this-target': flag,
  waivers: text,
  journal: text,
  resume: flag,
  json: text,
  junit: text,
  html: text,
  sarif: text,
  markdown: text,
  badge: text,
  quiet: { type: 'boolean', short: 'q' },
  help: { type: 'boolean', short: 'h' },
} as const

export type Values = ReturnType<typeof parseValues>['values']

const parseValues = (argv: readonly string[]) => {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new Misconfiguration(error instanceof Error ? error.message : String(error))
  }
}

export interface Arguments {
  readonly command: string
  readonly files: readonly string[]
  readonly values: Values
}

/**
 * Reads the command line.
 *
 * @throws Misconfiguration for an option that there is not.
 */
export const parseArguments = (argv: readonly string[]): Arguments => {
  const { values, positionals } = parseValues(argv)
  const [command = '', ...files] = positionals
  return { command, files, values }
}

/** A whole number of an option. */
export const numberOf = (name: string, value: string | undefined, otherwise: number): number => {
  if (value === undefined) return otherwise
  const number = Number(value)
  if (!Number.isInteger(number) || number < 1) throw new Misconfiguration(`--${name} takes a number from 1`)
  return number
}

const shardOf = (value: string | undefined): Selection['shard'] => {
  if (value === undefined) return undefined
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(value) ?? []
  const shard = { index: Number(index), of: Number(of) }
  if (!(shard.index >= 1 && shard.index <= shard.of))
    throw new Misconfiguration('--shard takes a part such as 1/4')
  return shard
}

/** What of the plan is asked for. */
export const selectionOf = (values: Values): Selection => {
  const shard = shardOf(values.shard)
  return {
    ...(values.area && { areas: values.area }),
    ...(values.operation && { operations: values.operation }),
    ...(values.version && { versions: values.version }),
    ...(values.requirement && { requirements: values.requirement }),
    ...(shard && { shard }),
    ...(values['read-only'] && { readOnly: true }),
    ...(values.smoke && { smoke: true }),
  }
}

/** The name, and addresses as `URL` writes them: 127.example.com is somebody else's. */
const loopback = /^(localhost|\[::1\]|127(\.\d+){3})$/

/** A run writes and provokes: it asks before it does so to a machine that is not this one. */
const expectLeave = (baseUrl: string, values: Values): void => {
  if (!URL.canParse(baseUrl)) throw new Misconfiguration(`${baseUrl} is no address`)
  const { hostname } = new URL(baseUrl)
  if (loopback.test(hostname) || values['yes-this-target']) return
  throw new Misconfiguration(`${hostname} is not this machine: say --yes-this-target if it may be tested`)
}

/**
 * The target of a command. Without a target file, it is a server with the demo organisation.
 *
 * @throws Misconfiguration when there is no address, or one that may not be tested.
 */
export const targetOf = (values: Values): Target => {
  const file = values.target === undefined ? {} : readTarget(values.target)
  const baseUrl = values['base-url'] ?? file.baseUrl
  if (baseUrl === undefined) throw new Misconfiguration('say --base-url, or name a target file with --target')
  expectLeave(baseUrl, values)
  const said = {
    ...file,
    baseUrl,
    ...(values.control !== undefined && { control: values.control }),
    ...(values.rate !== undefined && { requestsPerSecond: numberOf('rate', values.rate, 1) }),
    ...(values['read-only'] && { readOnly: true }),
  }
  if (values.target === undefined) return demoTarget(said)
  return { roles: {}, things: {}, ...said }
}
