// If builds don't match, for example because the types and the bundles come from different specifications, errors occur
// far away from their cause.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The file in `dist` that identifies the source files that the folder was built from. */
export const fingerprintFile = 'sources.sha256'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Returns the fingerprint in a workspace's `dist` folder, if the workspace was built. */
const fingerprintIn = (folder, workspace) => {
  const path = join(folder, workspace, 'dist', fingerprintFile)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/**
 * Describes the problem with the builds of `spec` and `types`, and includes the command that fixes it. Returns
 * undefined if the builds match.
 */
export function staleBuild(folder = root) {
  const [spec, types] = ['spec', 'packages/types'].map((workspace) => fingerprintIn(folder, workspace))
  const run = 'Run `npm run build`.'
  if (spec === undefined) return `The specification isn't built. ${run}`
  if (types === undefined) return `The types aren't built. ${run}`
  if (spec !== types) return `The types were built from a different state of the specification. ${run}`
  return undefined
}
