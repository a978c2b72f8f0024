/**
 * Checks that builds match, because mismatched builds cause confusing errors. For example, the types and the bundles
 * may come from different specifications.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The file in `dist` that contains a hash of the source files from which `dist` was built. */
export const fingerprintFile = 'sources.sha256'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Returns the hash from a workspace's `dist` folder, or undefined if the workspace hasn't been built. */
const fingerprintIn = (folder, workspace) => {
  const path = join(folder, workspace, 'dist', fingerprintFile)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/**
 * Explains why the builds of `spec` and `types` don't match, and which command fixes that. Returns undefined if the
 * builds match.
 */
export function staleBuild(folder = root) {
  const [spec, types] = ['spec', 'packages/types'].map((workspace) => fingerprintIn(folder, workspace))
  const run = 'Run `npm run build`.'
  if (spec === undefined) return `The specification isn't built. ${run}`
  if (types === undefined) return `The types aren't built. ${run}`
  if (spec !== types) return `The types and the specification were not built from the same sources. ${run}`
  return undefined
}
