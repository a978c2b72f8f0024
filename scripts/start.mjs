// `npm start`: the API of the demo organisation with its documentation, and lines to paste that use it.
// `npm start -- --port 9000` passes options on to the server; see packages/server/README.md for all of them.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { serverProgram } from './start-options.mjs'
import { build, install, step } from './steps.mjs'

const args = process.argv.slice(2)
const isQuestion = args.some((arg) => ['--help', '-h', '--version'].includes(arg))
// An answer of the server itself, which takes no build where there was one.
if (isQuestion && existsSync(serverProgram.built)) answerQuestion()

for (const [title, run] of [
  ['Install the dependencies', install],
  ['Build what changed', build],
])
  if (!step(title, run).ok) process.exit(1)

if (isQuestion) answerQuestion()
await import('./start-server.mjs')

function answerQuestion() {
  process.exit(
    spawnSync(process.execPath, [serverProgram.command, ...args], { stdio: 'inherit' }).status ?? 1,
  )
}
