import { parseArgs } from 'node:util'
import { didYouMean, joinNames, unknownName } from '../model/nearest.ts'
import type { Selection } from '../model/selection.ts'
import { Misconfiguration } from '../model/signals.ts'
import { addressOf } from '../target/address.ts'
import { demoTarget } from '../target/demo.ts'
import { readTarget } from '../target/file.ts'
import type { Target } from '../target/target.ts'
import { type Command, commands, isCommand, isOption, options, spelling } from './options.ts'

const settings = { options, allowPositionals: true } as const

export type Values = ReturnType<typeof parseStrictly>['values']

const parseStrictly = (argv: readonly string[]) => parseArgs({ ...settings, args: [...argv], strict: true })

const seeHelp = 'run contract --help for the options'

/** Checks that a command-line option is known and has a value only if it accepts one. */
const expectOption = ({ name, rawName, value, inlineValue }: OptionToken): void => {
  if (!isOption(name)) {
    const long = Object.keys(options).map((option) => `--${option}`)
    const near = didYouMean(rawName, long, '')
    throw new Misconfiguration(`unknown option ${rawName}: ${near && `${near} `}${seeHelp}`)
  }
  const { takes } = options[name]
  const given = value !== undefined && (inlineValue || !value.startsWith('-'))
  if (takes === '' && value !== undefined)
    throw new Misconfiguration(`--${name} doesn't accept a value: ${seeHelp}`)
  if (takes === '' || (given && value !== '')) return
  const kits = name === 'version' ? '. For the version of the kit, run contract version' : ''
  throw new Misconfiguration(
    `${rawName} needs a value: ${spelling(name)} (${options[name].description})${kits}`,
  )
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

const parseValues = (argv: readonly string[]) => {
  const { tokens } = parseArgs({ ...settings, args: [...argv], strict: false, tokens: true })
  for (const token of tokens) if (token.kind === 'option') expectOption(token)
  return parseStrictly(argv)
}

export interface Arguments {
  readonly command: Command
  readonly files: readonly string[]
  readonly values: Values
}

const commandOf = (name: string | undefined): Command => {
  const names = Object.keys(commands)
  if (name === undefined)
    throw new Misconfiguration(`missing command: expected ${joinNames(names)}; see contract --help`)
  if (isCommand(name)) return name
  const all = `the commands are ${joinNames(names, 'and')};`
  throw new Misconfiguration(`${unknownName('command', name, names, all)} see contract --help`)
}

/** Describes the files that each command reads. */
const filesRead: Readonly<Partial<Record<Command, string>>> = {
  merge: 'the JSON reports of all shards',
  compare: 'two JSON reports, the earlier one first',
}

const expectFitting = ({ command, files, values }: Arguments): void => {
  const [first] = files
  if (first !== undefined && filesRead[command] === undefined) {
    const address = URL.canParse(first) ? `; pass an address with --base-url` : ''
    throw new Misconfiguration(`${command} accepts only options, but got ${first}${address}: ${seeHelp}`)
  }
  for (const name of Object.keys(values).filter(isOption)) {
    const { of } = options[name]
    if (name === 'help' || of.includes(command)) continue
    throw new Misconfiguration(
      `${command} doesn't accept --${name}, which belongs to ${joinNames(of, 'and')}: ${seeHelp}`,
    )
  }
}

/**
 * Parses the command line. With `--help`, no command is required.
 *
 * @throws Misconfiguration for an unknown command or option, or for options that don't belong to the command.
 */
export const parseArguments = (argv: readonly string[]): Arguments => {
  const { values, positionals } = parseValues(argv)
  const [name, ...files] = positionals
  if (values.help) return { command: 'help', files: [], values }
  const parsed = { command: commandOf(name), files, values }
  expectFitting(parsed)
  return parsed
}

/** Returns an option's value as a whole number. */
export const numberOf = (
  name: string,
  value: string | undefined,
  otherwise: number,
  least: 0 | 1 = 1,
): number => {
  if (value === undefined) return otherwise
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < least || !Number.isSafeInteger(number))
    throw new Misconfiguration(
      `--${name} must be a whole number from ${least} to ${Number.MAX_SAFE_INTEGER}, but was ${value}`,
    )
  return number
}

const shardOf = (value: string | undefined): Selection['shard'] => {
  if (value === undefined) return undefined
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(value) ?? []
  const shard = { index: Number(index), of: Number(of) }
  if (!(shard.index >= 1 && shard.index <= shard.of))
    throw new Misconfiguration(`--shard must be a part such as 1/4, but was ${value}`)
  return shard
}

export const selectionOf = (values: Values): Selection => {
  const shard = shardOf(values.shard)
  return {
    ...(values.area && { areas: values.area }),
    ...(values.operation && { operations: values.operation }),
    ...(values.version && { versions: values.version }),
    ...(values.requirement && { requirements: values.requirement }),
    ...(shard && { shard }),
    ...(values['read-only'] && { readOnly: true }),
    ...(values.brief && { brief: true }),
    ...(values.smoke && { smoke: true }),
    ...(values.inputs !== undefined && { inputs: numberOf('inputs', values.inputs, 0, 0) }),
  }
}

/**
 * Matches the names and addresses of the loopback interface, in the form to which `URL` normalizes them. The pattern
 * must match the whole host, because 127.example.com is a public name.
 */
const loopback = /^(localhost|\[::1\]|127(\.\d+){3})$/

/** A run writes to the target and causes errors. Requires the user's explicit permission to test another machine. */
const expectLeave = (what: string, address: string, values: Values): void => {
  const { hostname } = addressOf(what, address)
  if (loopback.test(hostname) || values['yes-this-target']) return
  throw new Misconfiguration(
    `${hostname} is not this machine: if you are allowed to test it, pass --yes-this-target`,
  )
}

/**
 * Returns a command's target. Without a target file, the target is a server with the demo organization.
 *
 * @throws Misconfiguration if there is no address, or if testing this address isn't allowed.
 */
export const targetOf = (values: Values): Target => {
  const file = values.target === undefined ? {} : readTarget(values.target)
  const baseUrl = values['base-url'] ?? file.baseUrl
  if (baseUrl === undefined)
    throw new Misconfiguration('no target: pass its address with --base-url or a target file with --target')
  const control = values.control ?? file.control
  expectLeave('the service', baseUrl, values)
  if (control !== undefined) expectLeave('the control interface', control, values)
  const fields = {
    ...file,
    baseUrl,
    ...(control !== undefined && { control }),
    ...(values.rate !== undefined && { requestsPerSecond: numberOf('rate', values.rate, 1) }),
    ...(values.timeout !== undefined && { timeoutMs: 1000 * numberOf('timeout', values.timeout, 1) }),
    ...(values['read-only'] && { readOnly: true }),
  }
  if (values.target === undefined) return demoTarget(fields)
  return { roles: {}, things: {}, ...fields }
}
