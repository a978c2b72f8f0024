import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installToolbox } from '../../../scripts/toolbox.ts'

/** A folder with the other clients in its `node_modules`. */
export interface Peers {
  readonly folder: string
  load(name: string): Promise<unknown>
}

/** Installs the other clients outside the repository because they are larger than the repository itself. */
export async function installPeers(): Promise<Peers | undefined> {
  try {
    const folder = await installToolbox(new URL('peers/', import.meta.url))
    const require = createRequire(join(folder, 'package.json'))
    return { folder, load: (name) => import(pathToFileURL(entryOf(require, folder, name)).href) }
  } catch (error) {
    console.log(
      `other clients are not installed: ${error instanceof Error ? error.message.split('\n')[0] : error}`,
    )
    return undefined
  }
}

/**
 * `require` can't resolve packages without a CommonJS entry point, so this function reads the entry point from
 * `package.json`.
 */
function entryOf(require: NodeJS.Require, folder: string, name: string): string {
  try {
    return require.resolve(name)
  } catch {
    return join(folder, 'node_modules', name, 'dist-bundle/index.js')
  }
}
