import { wrap } from '../report/text.ts'
import { kitVersion } from './kit-version.ts'
import { commands, groups, type Option, options, spelling } from './options.ts'

/** The help has a fixed width, because users copy it to other windows and documents. */
const width = 80
const indent = 25

const row = (name: Option): string[] => {
  const option = options[name]
  const left = 'short' in option ? `-${option.short}, ${spelling(name)}` : spelling(name)
  return wrap(option.description, width - indent).map(
    (line, index) => `${(index === 0 ? `  ${left}` : '').padEnd(indent)}${line}`,
  )
}

export const help = (): string =>
  [
    `contract ${kitVersion()}, the conformance kit of the cloud database administration API`,
    '',
    'contract <command> [options]',
    '',
    ...Object.entries(commands).map(([name, description]) => `  ${name.padEnd(9)} ${description}`),
    ...groups.flatMap(([heading, names]) => ['', heading, ...names.flatMap(row)]),
    '',
    'NODE_EXTRA_CA_CERTS=<file> adds trusted certificate authorities. The kit ignores',
    'HTTP_PROXY and HTTPS_PROXY, because it connects to the target directly.',
    '',
    "exit codes: 0 conforms, 1 doesn't conform, 2 error in the kit or configuration,",
    '3 target unreachable, 130 interrupted',
    '',
  ].join('\n')
