/**
 * Prepares the manifests for a release. Adds the repository, which npm requires for provenance, and removes references
 * to unpublished files, such as source files. The repository comes from GITHUB_REPOSITORY, so that releases also work
 * in forks. To run this script, use `node scripts/prepare-manifests.mjs [repository folder]`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { selectPublished } from './select-published.mjs'
import { publishedPackages, root } from './steps.mjs'

const { GITHUB_REPOSITORY: name, GITHUB_SERVER_URL: host = 'https://github.com' } = process.env
if (!/^[\w.-]+\/[\w.-]+$/.test(name ?? '')) {
  console.error('Run this script in the release workflow. GITHUB_REPOSITORY must be set to owner/name.')
  process.exit(1)
}
const address = `${host}/${name}`
const folder = process.argv[2] ?? root
const published = publishedPackages(folder)
for (const directory of published) {
  const path = join(folder, directory, 'package.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  const named = {
    ...manifest,
    imports: selectPublished(manifest.imports, manifest.files),
    exports: selectPublished(manifest.exports, manifest.files),
    homepage: `${address}/tree/main/${directory}#readme`,
    bugs: `${address}/issues`,
    repository: { type: 'git', url: `git+${address}.git`, directory },
  }
  writeFileSync(path, `${JSON.stringify(named, null, 2)}\n`)
}
console.log(`Set the repository of ${published.length} packages to ${address}.`)
