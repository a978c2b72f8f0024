// Builds that don't belong together fail far away from the cause: types of one specification next to bundles of another.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The file in a `dist` folder that identifies the sources of the specification that it was built from. */
export const fingerprintFile = 'sources.sha256'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The fingerprint in the `dist` folder of a workspace, if it was built. */
const fingerprintIn = (folder, workspace) => {
  const path = join(folder, workspace, 'dist', fingerprintFile)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/**
 * The problem with the builds of `spec` and `packages/types`, and the command that fixes it. Undefined if they belong
 * together.
 */
export function staleBuild(folder = root) {
  const [spec, types] = ['spec', 'packages/types'].map((workspace) => fingerprintIn(folder, workspace))
  const run = 'Run `npm run build`.'
  if (spec === undefined) return `The specification isn't built. ${run}`
  if (types === undefined) return `The types aren't built. ${run}`
  if (spec !== types) return `The types were built from another state of the specification. ${run}`
  return undefined
}
