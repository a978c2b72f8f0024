// `npm run check`: what continuous integration runs, on this checkout.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './steps.mjs'

const { status } = spawnSync(process.execPath, [join(root, 'scripts/test.mjs')], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
