// Before a release: says in each package where it was built, as npm demands of a package with provenance. The workflow
// knows (GITHUB_REPOSITORY), so a fork need not be told. `node scripts/name-repository.mjs [folder of a repository]`
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { publishedPackages, root } from './steps.mjs'

const { GITHUB_REPOSITORY: name, GITHUB_SERVER_URL: host = 'https://github.com' } = process.env
if (!/^[\w.-]+\/[\w.-]+$/.test(name ?? '')) {
  console.error(
    'A release is made by its workflow: GITHUB_REPOSITORY must name the repository, as in owner/name.',
  )
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
    homepage: `${address}/tree/main/${directory}#readme`,
    bugs: `${address}/issues`,
    repository: { type: 'git', url: `git+${address}.git`, directory },
  }
  writeFileSync(path, `${JSON.stringify(named, null, 2)}\n`)
}
console.log(`${published.length} packages name ${address}.`)
