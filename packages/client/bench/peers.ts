import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The clients that others are measured by, in the newest versions that take Node 20. */
const packages = [
  '@hey-api/client-fetch@0.13',
  '@octokit/core@7',
  '@octokit/plugin-paginate-rest@14',
  '@octokit/plugin-retry@8',
  '@octokit/plugin-throttling@11',
  'openai@6',
  'stripe@23',
]

/** A folder with the peers in its `node_modules`. */
export interface Peers {
  readonly folder: string
  load(name: string): Promise<unknown>
}

/** Installs the peers outside of the repository: together they weigh more than it does. */
export function installPeers(): Peers | undefined {
  const folder = join(tmpdir(), 'svc-admin-client-bench')
  try {
    const flags = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts', '--force']
    execFileSync('npm', ['install', '--prefix', folder, ...flags, ...packages], { stdio: 'pipe' })
  } catch (error) {
    console.log(`peers are not installed: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
    return undefined
  }
  const require = createRequire(join(folder, 'package.json'))
  return { folder, load: (name) => import(pathToFileURL(entryOf(require, folder, name)).href) }
}

/** Packages that are modules only cannot be resolved by `require`; their entry is where they say. */
function entryOf(require: NodeJS.Require, folder: string, name: string): string {
  try {
    return require.resolve(name)
  } catch {
    return join(folder, 'node_modules', name, 'dist-bundle/index.js')
  }
}
