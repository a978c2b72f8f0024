// Runs the kit many times on the same sandbox. All runs must pass, because no run may affect later runs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { flagsOf } from '../../../scripts/flags.ts'
import { elapsed } from './notes.ts'
import { type RunningServer, startServer } from './server.ts'

const values = flagsOf('npm run repeat -w packages/contract', {
  runs: { type: 'string', default: '60', takes: '<n>', says: 'Run the kit <n> times' },
})

const script = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** The runs in a round. Runs in the same inner list execute in parallel, each in a separate sandbox world. */
const round: readonly (readonly (readonly string[])[])[] = [
  [[]],
  [['--brief']],
  [['--area', 'Alerts']],
  [['--operation', 'acknowledgeAlert']],
  [['--area', 'Alert Configurations']],
  [
    ['--brief', '--own-world'],
    ['--area', 'Alerts', '--own-world'],
  ],
  [
    ['--seed', '2', '--own-world'],
    ['--seed', '3', '--area', 'Cloud Backups', '--own-world'],
  ],
]

/** Runs the kit, and returns its report if the reference server failed a check. */
const runKit = async ({ baseUrl, control }: RunningServer, options: readonly string[]) => {
  const target = ['--base-url', baseUrl, '--control', control]
  const node = ['--import', 'tsx', '-C', '@svc-admin/source', script]
  const child = spawn(process.execPath, [...node, 'run', ...target, '--strict', '-q', ...options], {
    cwd: new URL('..', import.meta.url),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await exited
  return code === 0 ? undefined : `exit code ${code}\n${output}${errors}`
}

const main = async (): Promise<number> => {
  const [began, runs] = [performance.now(), Number(values.runs)]
  const server = await startServer()
  let [count, red] = [0, 0]
  for (let step = 0; count < runs; step += 1) {
    const chosen = (round[step % round.length] ?? []).slice(0, runs - count)
    const reports = await Promise.all(chosen.map((options) => runKit(server, options)))
    for (const [place, report] of reports.entries()) {
      count += 1
      red += report === undefined ? 0 : 1
      const name = chosen[place]?.join(' ') || 'everything'
      process.stdout.write(`${count} of ${runs}, ${elapsed(began)}: ${name}: ${report ?? 'passed'}\n`)
    }
  }
  server.stop()
  process.stdout.write(`${count - red} of ${count} runs on one sandbox passed\n`)
  return red === 0 ? 0 : 1
}

process.exitCode = await main()
