/**
 * Runs the same checks as continuous integration (`npm run check`): the tests in this checkout, and the fresh clone
 * check on the committed tree.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './steps.mjs'

for (const script of ['test.mjs', 'check-fresh-clone.mjs']) {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', script)], {
    cwd: root,
    stdio: 'inherit',
  })
  process.exitCode ||= status ?? 1
}
