import { flagOf, optionSpecs } from './options.ts'

const width = 80

/** What `svc-admin-server --help` says, in lines of a terminal's width. */
export function optionsHelp(version: string): string {
  const rows = Object.entries(optionSpecs).map(
    ([name, { default: value, about }]) => [synopsis(name, value), aboutWith(about, value)] as const,
  )
  const all = [
    ...rows,
    ['--config <file>', 'One JSON object with options, by their names in code'],
    ['-h, --help', 'This text'],
    ['--version', 'The version of this command'],
  ] as const
  const column = Math.max(...all.map(([flag]) => flag.length)) + 2
  const lines = all.map(([flag, about]) => `  ${flag.padEnd(column)}${hang(about, column + 2)}`)
  return `svc-admin-server ${version}: the reference server

svc-admin-server [options]

${lines.join('\n')}

Each option has a variable of the environment too: --log-level is
SVC_ADMIN_LOG_LEVEL. Flags win over variables, variables over the file. What is
true or false by default is turned off with --no-, such as --no-webhooks.
`
}

function synopsis(name: string, value: string | number | boolean): string {
  if (typeof value === 'boolean') return `--${flagOf(name)}`
  return `--${flagOf(name)} <${typeof value === 'number' ? 'n' : 'text'}>`
}

function aboutWith(about: string, value: string | number | boolean): string {
  if (value === '' || value === false) return about
  return `${about} (${value === true ? 'on' : value})`
}

/** Breaks a text so that its further lines begin below its first. */
function hang(text: string, indent: number): string {
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`.trimStart()
    if (line.length <= width - indent) lines[lines.length - 1] = line
    else lines.push(word)
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}
