import { flagOf, optionSpecs, variableOf } from './options.ts'

/** Returns the options as a Markdown table for the README. */
export function optionsTable(): string {
  const rows = Object.entries(optionSpecs).map(([name, { default: value, about }]) =>
    row([`\`--${flagOf(name)}\``, `\`${variableOf(name)}\``, value === '' ? '' : `\`${value}\``, about]),
  )
  return [
    row(['flag', 'environment variable', 'default', 'description']),
    row(['---', '---', '---', '---']),
    ...rows,
  ].join('\n')
}

const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
