/**
 * Starts the API with the demo organization and the documentation, and prints commands to try (`npm start`). To pass
 * options to the server, add them after `--`, for example `npm start -- --port 9000`. For a list of options, see
 * packages/server/README.md.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { serverProgram } from './start-options.mjs'
import { build, install, step } from './steps.mjs'

const args = process.argv.slice(2)
const isInformational = args.some((arg) => ['--help', '-h', '--version'].includes(arg))
// An existing build can print the help text and the version even if it is outdated.
if (isInformational && existsSync(serverProgram.built)) runServerCommand()

for (const [title, run] of [
  ['Install the dependencies', install],
  ['Build changed packages', build],
])
  if (!step(title, run).ok) process.exit(1)

if (isInformational) runServerCommand()
await import('./start-server.mjs')

function runServerCommand() {
  process.exit(
    spawnSync(process.execPath, [serverProgram.command, ...args], { stdio: 'inherit' }).status ?? 1,
  )
}
