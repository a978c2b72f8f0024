// A release of the documents is a tag (docs/adr/0006-a-release-is-a-tag.md). The gate compares with the newest one.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './steps.mjs'

const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })
const { version } = JSON.parse(readFileSync(join(root, 'spec/package.json'), 'utf8'))
const tag = `spec-v${version}`
if (git('rev-parse', '--verify', '--quiet', `refs/tags/${tag}`).status === 0) {
  console.log(`${tag} is there already.`)
} else {
  for (const args of [
    ['tag', tag],
    ['push', 'origin', tag],
  ]) {
    const { status, stderr } = git(...args)
    if (status === 0) continue
    console.error(`git ${args.join(' ')}: ${stderr}`)
    process.exit(1)
  }
  console.log(`${tag} says what was released.`)
}
