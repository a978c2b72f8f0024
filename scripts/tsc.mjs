/**
 * Runs TypeScript 7 for checks and builds, because it is several times as fast as version 5. Version 5 is installed
 * too, but only for its API. Both packages have a `tsc` command, so this script selects the right one.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const compiler = fileURLToPath(
  import.meta.resolve('typescript-7/package.json').replace(/package\.json$/, 'bin/tsc'),
)
const { status } = spawnSync(process.execPath, [compiler, ...process.argv.slice(2)], { stdio: 'inherit' })
process.exitCode = status ?? 1
