// Before a release: says in each package where it was built, as npm demands of a package with provenance, and leaves out
// what its manifest names for this repository alone, as the sources, which are not shipped. The workflow knows where
// (GITHUB_REPOSITORY), so a fork need not be told. `node scripts/prepare-manifests.mjs [folder of a repository]`
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
/** The targets of `exports` or `imports` that the package ships; undefined where that is none. */
function keepShipped(targets, files) {
  if (typeof targets === 'string') {
    const within = (entry) => targets.startsWith(`./${entry}/`)
    const isLeftOut = files.some((entry) => entry.startsWith('!') && within(entry.slice(1)))
    // npm ships the manifest always.
    return targets === './package.json' || (files.some(within) && !isLeftOut) ? targets : undefined
  }
  const kept = Object.entries(targets ?? {}).flatMap(([key, target]) => {
    const shipped = keepShipped(target, files)
    return shipped === undefined ? [] : [[key, shipped]]
  })
  return kept.length > 0 ? Object.fromEntries(kept) : undefined
}

const address = `${host}/${name}`
const folder = process.argv[2] ?? root
const published = publishedPackages(folder)
for (const directory of published) {
  const path = join(folder, directory, 'package.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  const named = {
    ...manifest,
    imports: keepShipped(manifest.imports, manifest.files),
    exports: keepShipped(manifest.exports, manifest.files),
    homepage: `${address}/tree/main/${directory}#readme`,
    bugs: `${address}/issues`,
    repository: { type: 'git', url: `git+${address}.git`, directory },
  }
  writeFileSync(path, `${JSON.stringify(named, null, 2)}\n`)
}
console.log(`${published.length} packages name ${address}.`)
