import { parseArgs } from 'node:util'

/** What a command takes, as `parseArgs` reads it, and what its help says of it. */
export interface Flag {
  readonly type: 'string' | 'boolean'
  /** May be given several times. */
  readonly multiple?: true
  readonly default?: string | readonly string[]
  /** A value as the help shows it; some of them have a form that is looked after (`forms`). */
  readonly takes?: string
  readonly says: string
}

export type Flags = Readonly<Record<string, Flag>>

/** What was given, by the name of the flag. */
export type Given<F extends Flags> = {
  readonly [K in keyof F]: F[K]['type'] extends 'boolean'
    ? boolean
    :
        | (F[K] extends { multiple: true } ? readonly string[] : string)
        | (F[K] extends { default: string | readonly string[] } ? never : undefined)
}

/** What has to be true of a value, by what the help shows of it. */
const forms: Readonly<Record<string, { readonly is: (value: string) => boolean; readonly words: string }>> = {
  '<n>': { is: (value) => /^\d+$/.test(value), words: 'a whole number' },
  '<1/4>': { is: isPart, words: 'a part such as 1/4' },
}

function isPart(value: string): boolean {
  const [, index = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(value) ?? []).map(Number)
  return index >= 1 && index <= of
}

/** Columns of a terminal that everybody has. */
const width = 80
const indent = 26

/**
 * Reads the command line of a script. `--help` prints what it takes and ends with 0; whatever it does not take is told
 * with the same, and ends with 2.
 *
 * @param command as it is typed, up to its flags
 * @example
 * ```ts
 * const values = flagsOf('npm run soak -w packages/server', {
 *   kills: { type: 'string', default: '50', takes: '<n>', says: 'servers that are killed' },
 * })
 * ```
 */
export function flagsOf<const F extends Flags>(command: string, flags: F): Given<F> {
  if (process.argv.slice(2).includes('--help')) {
    console.log(usageOf(command, flags))
    process.exit(0)
  }
  try {
    // Each of them is what its flag says.
    return valuesOf(flags) as Given<F>
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
        throw new RangeError(`--${name} takes ${form.words}, and not ${JSON.stringify(value)}`)
      return [name, value]
    }),
  )
}

/** What a command takes, for a terminal. */
export function usageOf(command: string, flags: Flags): string {
  const lines = Object.entries(flags).flatMap(([name, { takes = '', says, default: usual }]) => {
    const word = `  --${name} ${takes}`.trimEnd()
    const preset = usual === undefined ? '' : ` (${[usual].flat().join(',')})`
    return row(word, `${says}${preset}`)
  })
  return [`${command} -- [flags]`, '', ...lines, ...row('  --help', 'print this')].join('\n')
}

/** A word with what is said of it beside it, in as many lines as that takes. */
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
