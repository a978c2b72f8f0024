import { flagOf, optionSpecs } from './options.ts'

const width = 80

/** Returns the output of `svc-admin-server --help`, with lines of at most 80 columns. */
export function optionsHelp(version: string): string {
  const rows = Object.entries(optionSpecs).map(
    ([name, { default: value, about }]) => [synopsis(name, value), aboutWith(about, value)] as const,
  )
  const all = [
    ...rows,
    ['--config <file>', 'Read options from a JSON file with camelCase keys, such as logLevel'],
    ['-h, --help', 'Print this help'],
    ['--version', 'Print the version'],
  ] as const
  const column = Math.max(...all.map(([flag]) => flag.length)) + 2
  const lines = all.map(([flag, about]) => `  ${flag.padEnd(column)}${hang(about, column + 2)}`)
  return `svc-admin-server ${version}: cloud database administration API server

Usage: svc-admin-server [options]
       svc-admin-server backup <file> [options]

${lines.join('\n')}

You can also set each option with an environment variable: --log-level is
SVC_ADMIN_LOG_LEVEL. Flags override variables, and variables override the file.
To turn a boolean option off, add --no-, for example --no-webhooks.
`
}

function synopsis(name: string, value: string | number | boolean): string {
  if (typeof value === 'boolean') return `--${flagOf(name)}`
  return `--${flagOf(name)} <${typeof value === 'number' ? 'n' : 'text'}>`
}

function aboutWith(about: string, value: string | number | boolean): string {
  if (value === '' || value === false) return about
  return `${about} (default: ${value === true ? 'on' : value})`
}

/** Wraps a text and indents all lines except the first. */
function hang(text: string, indent: number): string {
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`.trimStart()
    if (line.length <= width - indent) lines[lines.length - 1] = line
    else lines.push(word)
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}
