// The compiler that checks and builds, several times as fast as version 5, which stays for its programming interface.
// Both packages have a command `tsc`, so npm chooses one; this names it.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const compiler = fileURLToPath(
  import.meta.resolve('typescript-7/package.json').replace(/package\.json$/, 'bin/tsc'),
)
const { status } = spawnSync(process.execPath, [compiler, ...process.argv.slice(2)], { stdio: 'inherit' })
process.exitCode = status ?? 1
