import { operations } from '@svc-admin/types'
import { wrap } from '../report/text.ts'

const areas = [...new Set(Object.values(operations).map(({ area }) => area))].sort()

/** What `contract --help` says. */
export const help = `contract <command> [options]

  run       test a target and report
  doctor    say what a run would be able to test, and why not the rest
  init      write a target file by asking
  cleanup   remove what an interrupted run left (--journal file)
  merge     make one report of the JSON reports of shards
  compare   say what broke and what was mended between two JSON reports

target
  --base-url <address>   address of the service, before /api
  --target <file>        target file; without one, the demo organisation
  --control <address>    control interface of the sandbox
  --yes-this-target      test a machine that is not this one
  --read-only            create and change nothing
  --rate <n>             at most n requests a second

selection
  --area, --operation, --version, --requirement <name>   may be repeated
                         areas: ${wrap(areas.join(', '), 55).join('\n                         ')}
  --smoke                one check for each requirement and operation
  --shard <1/4>          a part of the run, to be merged
  --seed <n>             other values; the same seed sends the same requests
  -j, --parallel <n>     checks side by side (8)

verdict
  --strict               a broken decided rule fails
  --require-all          what cannot be tested fails: nothing is left untried
  --waivers <file>       known violations, each with a reason and an end

reports
  --json, --junit, --html, --sarif, --markdown, --badge <file>
  --journal <file>       what the run made and found, for cleanup and --resume
  --resume               take up the run of the journal where it was interrupted
  -q, --quiet            no progress

exit code: 0 conforms, 1 does not, 2 the kit or its configuration is wrong,
3 the target cannot be reached
`
