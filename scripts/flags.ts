import { parseArgs } from 'node:util'

/** A command-line flag in the format of `parseArgs`, with its help text. */
export interface Flag {
  readonly type: 'string' | 'boolean'
  /** Whether the flag can be used several times. */
  readonly multiple?: true
  readonly default?: string | readonly string[]
  /** The placeholder for the value in the help text. For some placeholders, the value is validated (see `forms`). */
  readonly takes?: string
  readonly says: string
}

export type Flags = Readonly<Record<string, Flag>>

/** The parsed values, by flag name. */
export type Values<F extends Flags> = {
  readonly [K in keyof F]: F[K]['type'] extends 'boolean'
    ? boolean
    :
        | (F[K] extends { multiple: true } ? readonly string[] : string)
        | (F[K] extends { default: string | readonly string[] } ? never : undefined)
}

/** The value formats that are validated, by placeholder. */
const forms: Readonly<Record<string, { readonly is: (value: string) => boolean; readonly words: string }>> = {
  '<n>': { is: (value) => /^\d+$/.test(value), words: 'a whole number' },
  '<1/4>': { is: isPart, words: 'a fraction such as 1/4' },
}

function isPart(value: string): boolean {
  const [, index = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(value) ?? []).map(Number)
  return index >= 1 && index <= of
}

/** The width of help texts, which is the usual width of a terminal. */
const width = 80
const indent = 26

/**
 * Parses a script's command line. With `--help`, prints the usage and exits with code 0. If a flag is invalid, prints
 * an error and the usage, and exits with code 2.
 *
 * @param command The command to show in the usage, without flags.
 * @example
 * ```ts
 * const values = flagsOf('npm run soak -w packages/server', {
 *   kills: { type: 'string', default: '50', takes: '<n>', says: 'Kill a server <n> times' },
 * })
 * ```
 */
export function flagsOf<const F extends Flags>(command: string, flags: F): Values<F> {
  if (process.argv.slice(2).includes('--help')) {
    console.log(usageOf(command, flags))
    process.exit(0)
  }
  try {
    // `valuesOf` has checked the values, so they match the types of the flags.
    return valuesOf(flags) as Values<F>
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usageOf(command, flags)}`)
    process.exit(2)
  }
}

function valuesOf(flags: Flags): Readonly<Record<string, unknown>> {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { type, multiple = false }]) => [name, { type, multiple }]),
  )
  const { values } = parseArgs({ options })
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => {
      const value = values[name] ?? flag.default ?? (flag.type === 'boolean' ? false : undefined)
      const form = forms[flag.takes ?? '']
      if (form && value !== undefined && !form.is(String(value)))
        throw new RangeError(`--${name} must be ${form.words}, but was ${JSON.stringify(value)}`)
      return [name, value]
    }),
  )
}

/** Returns the usage text of a command, wrapped to the width of a terminal. */
export function usageOf(command: string, flags: Flags): string {
  const lines = Object.entries(flags).flatMap(([name, { takes = '', says, default: usual }]) => {
    const word = `  --${name} ${takes}`.trimEnd()
    const preset = usual === undefined ? '' : ` (default: ${[usual].flat().join(',')})`
    return row(word, `${says}${preset}`)
  })
  return [`${command} -- [flags]`, '', ...lines, ...row('  --help', 'Print this help')].join('\n')
}

/** Returns the lines of the usage text for a flag. The second column contains the wrapped help text. */
function row(word: string, says: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const next of says.split(' ')) {
    if (line !== '' && line.length + 1 + next.length > width - indent) {
      lines.push(line)
      line = ''
    }
    line = line === '' ? next : `${line} ${next}`
  }
  lines.push(line)
  const [first = '', ...rest] = lines
  return [
    word.length < indent ? `${word.padEnd(indent)}${first}` : `${word}\n${' '.repeat(indent)}${first}`,
    ...rest.map((each) => `${' '.repeat(indent)}${each}`),
  ]
}
