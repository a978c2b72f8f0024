// `npm start` starts the API with the demo organization and the documentation, and prints commands to try it.
// `npm start -- --port 9000` passes options to the server; packages/server/README.md lists them.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { serverProgram } from './start-options.mjs'
import { build, install, step } from './steps.mjs'

const args = process.argv.slice(2)
const isQuestion = args.some((arg) => ['--help', '-h', '--version'].includes(arg))
// The server can print its help or version without a new build.
if (isQuestion && existsSync(serverProgram.built)) answerQuestion()

for (const [title, run] of [
  ['Install the dependencies', install],
  ['Build changed packages', build],
])
  if (!step(title, run).ok) process.exit(1)

if (isQuestion) answerQuestion()
await import('./start-server.mjs')

function answerQuestion() {
  process.exit(
    spawnSync(process.execPath, [serverProgram.command, ...args], { stdio: 'inherit' }).status ?? 1,
  )
}
