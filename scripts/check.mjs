// `npm run check`: what continuous integration runs, the tests on this checkout and the two commands on a fresh clone of
// what is committed.
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
