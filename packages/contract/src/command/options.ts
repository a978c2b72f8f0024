import { operations, versions } from '@svc-admin/types'
import { defaults } from '../model/defaults.ts'

/** The commands, in the order in which the help lists them. */
export const commands = {
  run: 'Test a target and write reports.',
  doctor: 'Show what a run can test and which prerequisites are missing.',
  init: 'Create a target file interactively.',
  cleanup: "Delete an interrupted run's resources. Requires --journal.",
  merge: 'Merge the JSON reports of shards into one report.',
  compare: 'List the regressions and fixes between two JSON reports.',
  version: "Print the kit's version.",
  help: 'Print this help.',
} as const

export type Command = keyof typeof commands

/** Several options share the same group of commands. */
const onTarget: readonly Command[] = ['run', 'doctor', 'cleanup']
const asking: readonly Command[] = [...onTarget, 'init']
const planning: readonly Command[] = ['run', 'doctor']
const reporting: readonly Command[] = ['run', 'merge']
const running: readonly Command[] = ['run']

const value = (of: readonly Command[], takes: string, description: string) =>
  ({ type: 'string', of, takes, description }) as const
const values = (of: readonly Command[], takes: string, description: string) =>
  ({ type: 'string', multiple: true, of, takes, description }) as const
const flag = (of: readonly Command[], description: string) =>
  ({ type: 'boolean', of, takes: '', description }) as const

const areas = [...new Set(Object.values(operations).map(({ area }) => area))].sort()

/** All options, with the commands that accept them, the placeholder for their value, and their help text. */
export const options = {
  'base-url': value(asking, '<address>', 'Test the service at <address>, without /api.'),
  target: value(asking, '<file>', 'Read the target from <file>. Default: the demo organization.'),
  control: value(asking, '<address>', "Use the sandbox's control interface at <address>."),
  'own-world': flag(running, 'Run in a separate sandbox world, to allow parallel runs and shards.'),
  'yes-this-target': flag(onTarget, 'Allow a target that is not on this machine.'),
  'read-only': flag(planning, "Don't send requests that create or change resources."),
  rate: value(onTarget, '<n>', 'Send at most <n> requests per second.'),
  timeout: value(
    onTarget,
    '<seconds>',
    `Wait at most <seconds> for a response. Default: ${defaults.timeoutSeconds}.`,
  ),
  area: values(onTarget, '<name>', `Test one area: ${areas.join(', ')}.`),
  operation: values(onTarget, '<id>', 'Test one operation, such as getAlert.'),
  version: values(
    onTarget,
    '<version>',
    `Test the operations in one version's document: ${versions.map(({ id }) => id).join(', ')}.`,
  ),
  requirement: values(
    onTarget,
    '<id>',
    'Test one requirement, or all requirements with a prefix such as auth.',
  ),
  brief: flag(planning, 'Run only one check per requirement and operation.'),
  smoke: flag(planning, 'Run only one check per requirement, which takes a few seconds.'),
  shard: value(planning, '<1/4>', 'Run one part of the checks. Combine the reports with merge.'),
  inputs: value(
    running,
    '<n>',
    `Try <n> generated inputs in each check that uses them. Default: ${defaults.inputs}. Use 0 to skip these checks.`,
  ),
  seed: value(
    running,
    '<n>',
    'Use this seed for generated values. Runs with the same seed send the same requests.',
  ),
  parallel: {
    ...value(running, '<n>', `Run <n> checks in parallel. Default: ${defaults.parallel}.`),
    short: 'j',
  },
  strict: flag(running, 'Report violations of our decisions as failures instead of warnings.'),
  'require-all': flag(reporting, "Fail if anything can't be tested."),
  'expect-all': flag(reporting, 'Fail if an operation is not implemented.'),
  waivers: value(reporting, '<file>', 'Read known violations from <file>, with reasons and expiry dates.'),
  html: value(reporting, '<file>', 'Write an HTML page with the requests and responses of the findings.'),
  json: value(
    reporting,
    '<file>',
    'Write the report as JSON, which the merge and compare commands can read.',
  ),
  junit: value(reporting, '<file>', 'Write the report as JUnit XML, for CI servers.'),
  sarif: value(reporting, '<file>', 'Write the findings as SARIF, for code scanning.'),
  markdown: value(reporting, '<file>', 'Write a Markdown summary, for a pull request.'),
  badge: value(reporting, '<file>', 'Write an SVG badge for a README.'),
  exchanges: value(
    running,
    '<file>',
    'Write the requests and responses of all checks to <file>, one JSON object per line.',
  ),
  quiet: { ...flag(running, 'Show no progress.'), short: 'q' },
  journal: value(
    ['run', 'cleanup'],
    '<file>',
    'Record resources and results in <file>, for cleanup and --resume.',
  ),
  keep: flag(
    running,
    "Keep the run's resources until contract cleanup, so that the curl commands work after the run. Requires --journal.",
  ),
  resume: flag(running, 'Resume the interrupted run recorded in the journal.'),
  help: { ...flag([], 'Print this help.'), short: 'h' },
} as const

export type Option = keyof typeof options

/** The sections of the help, with their options. */
export const groups: readonly (readonly [heading: string, names: readonly Option[]])[] = [
  [
    'target',
    ['base-url', 'target', 'control', 'own-world', 'yes-this-target', 'read-only', 'rate', 'timeout'],
  ],
  [
    'selection (the first four can be repeated)',
    ['area', 'operation', 'version', 'requirement', 'brief', 'smoke', 'shard', 'inputs', 'seed', 'parallel'],
  ],
  ['verdict', ['strict', 'require-all', 'expect-all', 'waivers']],
  ['reports', ['html', 'json', 'junit', 'sarif', 'markdown', 'badge', 'exchanges', 'quiet']],
  ['resources', ['journal', 'keep', 'resume']],
]

const isNamed = <K extends string>(table: Readonly<Record<K, unknown>>, name: string): name is K =>
  Object.hasOwn(table, name)

export const isCommand = (name: string): name is Command => isNamed(commands, name)
export const isOption = (name: string): name is Option => isNamed(options, name)

/** Returns an option as users type it, with a placeholder for its value. */
export const spelling = (name: Option): string => {
  const { takes } = options[name]
  return takes === '' ? `--${name}` : `--${name} ${takes}`
}
