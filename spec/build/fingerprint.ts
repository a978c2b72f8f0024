import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprintFile } from '../../scripts/built.mjs'
import { root } from './read-yaml.ts'

/** The folders with files that affect a build. */
const read = ['build', 'src', 'facts', 'shared', 'demo', 'requirements', 'ledger', 'workflows', 'control']
const ofDocuments = ['v1.0', 'v2', 'rules', 'ruleset', 'versions.yaml', 'redocly.yaml']

/**
 * Returns a hash of the contents of all source files. Modification times aren't reliable because Git and build caches
 * change them.
 */
export function fingerprintOfSources(folder = root): string {
  const hash = createHash('sha256')
  for (const path of [...read, ...ofDocuments].flatMap((name) => filesIn(folder, name)).sort())
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(folder, path)))
      .update('\0')
  return hash.digest('hex')
}

function filesIn(folder: string, name: string): string[] {
  if (name.endsWith('.yaml')) return [name]
  return readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(yaml|md|ts)$/.test(path) && !path.endsWith('.test.ts'))
    .map((path) => join(name, path))
}

/** Returns whether a `dist` folder was built from the current source files. */
export function isUpToDate(dist = join(root, 'dist')): boolean {
  const path = join(dist, fingerprintFile)
  return existsSync(path) && readFileSync(path, 'utf8') === fingerprintOfSources()
}
