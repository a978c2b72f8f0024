import { operations, versions } from '@svc-admin/types'
import { defaults } from '../engine/defaults.ts'

/** What the command line can do, in the order of the help. */
export const commands = {
  run: 'test a target and report',
  doctor: 'say what a run would be able to test, and why not the rest',
  init: 'write a target file by asking',
  cleanup: 'remove what an interrupted run left (--journal file)',
  merge: 'make one report of the JSON reports of shards',
  compare: 'say what broke and what was mended between two JSON reports',
  version: 'tell the version of the kit',
  help: 'say this',
} as const

export type Command = keyof typeof commands

/** Commands by what they work with. */
const onTarget: readonly Command[] = ['run', 'doctor', 'cleanup']
const asking: readonly Command[] = [...onTarget, 'init']
const planning: readonly Command[] = ['run', 'doctor']
const reporting: readonly Command[] = ['run', 'merge']
const running: readonly Command[] = ['run']

const value = (of: readonly Command[], takes: string, says: string) =>
  ({ type: 'string', of, takes, says }) as const
const values = (of: readonly Command[], takes: string, says: string) =>
  ({ type: 'string', multiple: true, of, takes, says }) as const
const flag = (of: readonly Command[], says: string) => ({ type: 'boolean', of, takes: '', says }) as const

const areas = [...new Set(Object.values(operations).map(({ area }) => area))].sort()

/** Every option: which commands take it, what it takes, and what the help says of it. */
export const options = {
  'base-url': value(asking, '<address>', 'address of the service, before /api'),
  target: value(asking, '<file>', 'target file; without one, the demo organisation'),
  control: value(asking, '<address>', 'control interface of the sandbox'),
  'own-world': flag(
    running,
    'work in a world of its own of the sandbox, so that runs and shards go side by side',
  ),
  'yes-this-target': flag(onTarget, 'test a machine that is not this one'),
  'read-only': flag(planning, 'create and change nothing'),
  rate: value(onTarget, '<n>', 'at most n requests a second'),
  timeout: value(onTarget, '<seconds>', `time for one answer (${defaults.timeoutSeconds})`),
  area: values(onTarget, '<name>', areas.join(', ')),
  operation: values(onTarget, '<id>', 'such as getAlert'),
  version: values(
    onTarget,
    '<version>',
    `${versions.map(({ id }) => id).join(', ')}: what its document holds, each operation as the date resolves`,
  ),
  requirement: values(onTarget, '<id>', 'or the beginning of one, such as auth.'),
  brief: flag(planning, 'one check for each requirement and operation'),
  smoke: flag(planning, 'one check for each requirement, in seconds'),
  shard: value(planning, '<1/4>', 'a part of the run, to be merged'),
  inputs: value(
    running,
    '<n>',
    `generated inputs for each check that has some (${defaults.inputs}); 0: none`,
  ),
  seed: value(running, '<n>', 'other values; the same seed sends the same requests'),
  parallel: { ...value(running, '<n>', `checks side by side (${defaults.parallel})`), short: 'j' },
  strict: flag(running, 'a broken decided rule fails'),
  'require-all': flag(reporting, 'what cannot be tested fails: nothing is left untried'),
  waivers: value(reporting, '<file>', 'known violations, each with a reason and an end'),
  html: value(reporting, '<file>', 'one page, in which each cell opens to its exchange'),
  json: value(reporting, '<file>', 'for programs, merge and compare'),
  junit: value(reporting, '<file>', 'for servers that build'),
  sarif: value(reporting, '<file>', 'for lists of findings'),
  markdown: value(reporting, '<file>', 'for a pull request'),
  badge: value(reporting, '<file>', 'an SVG for a README'),
  lean: flag(running, 'reports without the exchanges of what passed, far smaller'),
  quiet: { ...flag(running, 'no progress'), short: 'q' },
  journal: value(['run', 'cleanup'], '<file>', 'what the run made and found, for cleanup and --resume'),
  keep: flag(running, 'leave what was made, so that curl lines can be repeated; cleanup removes it'),
  resume: flag(running, 'take up the run of the journal where it was interrupted'),
  help: { ...flag([], 'say this'), short: 'h' },
} as const

export type Option = keyof typeof options

/** Options by the heading that the help has them under. */
export const groups: readonly (readonly [heading: string, names: readonly Option[]])[] = [
  [
    'target',
    ['base-url', 'target', 'control', 'own-world', 'yes-this-target', 'read-only', 'rate', 'timeout'],
  ],
  [
    'selection; the first four may be repeated',
    ['area', 'operation', 'version', 'requirement', 'brief', 'smoke', 'shard', 'inputs', 'seed', 'parallel'],
  ],
  ['verdict', ['strict', 'require-all', 'waivers']],
  ['reports', ['html', 'json', 'junit', 'sarif', 'markdown', 'badge', 'lean', 'quiet']],
  ['what a run made', ['journal', 'keep', 'resume']],
]

const isNamed = <K extends string>(table: Readonly<Record<K, unknown>>, name: string): name is K =>
  Object.hasOwn(table, name)

export const isCommand = (name: string): name is Command => isNamed(commands, name)
export const isOption = (name: string): name is Option => isNamed(options, name)

/** The name as it is typed, with what it takes. */
export const spelling = (name: Option): string => {
  const { takes } = options[name]
  return takes === '' ? `--${name}` : `--${name} ${takes}`
}
