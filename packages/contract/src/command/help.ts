import { wrap } from '../report/text.ts'
import { kitVersion } from './kit-version.ts'
import { commands, groups, type Option, options, spelling } from './options.ts'

/** Columns for everybody: help is read in all kinds of windows. */
const width = 80
const indent = 25

const row = (name: Option): string[] => {
  const option = options[name]
  const left = 'short' in option ? `-${option.short}, ${spelling(name)}` : spelling(name)
  return wrap(option.says, width - indent).map(
    (line, index) => `${(index === 0 ? `  ${left}` : '').padEnd(indent)}${line}`,
  )
}

/** What `contract --help` says. */
export const help = (): string =>
  [
    `contract ${kitVersion()}, the conformance kit of the cloud database administration API`,
    '',
    'contract <command> [options]',
    '',
    ...Object.entries(commands).map(([name, says]) => `  ${name.padEnd(9)} ${says}`),
    ...groups.flatMap(([heading, names]) => ['', heading, ...names.flatMap(row)]),
    '',
    'NODE_EXTRA_CA_CERTS=<file> names authorities whose certificates are trusted',
    'besides; HTTP_PROXY and HTTPS_PROXY mean nothing: a target is called directly',
    '',
    'exit code: 0 conforms, 1 does not, 2 the kit or its configuration is wrong,',
    '3 the target cannot be reached, 130 the run was interrupted',
    '',
  ].join('\n')
