/**
 * Builds that don't match cause errors far away from their cause. For example, the types and the bundles may
 * come from different specifications.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The file in `dist` that identifies the source files of the build. */
export const fingerprintFile = 'sources.sha256'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Returns the fingerprint in a workspace's `dist` folder, or undefined if the workspace wasn't built. */
const fingerprintIn = (folder, workspace) => {
  const path = join(folder, workspace, 'dist', fingerprintFile)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/**
 * Describes why the builds of `spec` and `types` don't match, with the command that fixes this. Returns
 * undefined if the builds match.
 */
export function staleBuild(folder = root) {
  const [spec, types] = ['spec', 'packages/types'].map((workspace) => fingerprintIn(folder, workspace))
  const run = 'Run `npm run build`.'
  if (spec === undefined) return `The specification isn't built. ${run}`
  if (types === undefined) return `The types aren't built. ${run}`
  if (spec !== types) return `The types and the specification were not built from the same sources. ${run}`
  return undefined
}
