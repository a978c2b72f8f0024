/**
 * Creates the Git tag for a release of the OpenAPI documents (docs/adr/0006-a-release-is-a-tag.md). The release gate
 * compares the documents with the newest tag.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './steps.mjs'

const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })
const { version } = JSON.parse(readFileSync(join(root, 'spec/package.json'), 'utf8'))
const tag = `spec-v${version}`
if (git('rev-parse', '--verify', '--quiet', `refs/tags/${tag}`).status === 0) {
  console.log(`Tag ${tag} already exists.`)
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
  console.log(`Created tag ${tag}.`)
}
