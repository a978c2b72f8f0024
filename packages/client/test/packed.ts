import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

/** The output of `npm pack`. */
export interface Packed {
  readonly filename: string
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

/** Packs the build with npm and unpacks it into the folder's `node_modules`. */
export function installPacked(folder: string): Packed & { readonly installed: string } {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const listing: unknown = JSON.parse(
    execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }),
  )
  const packed = (Array.isArray(listing) ? listing[0] : Object.values(Object(listing))[0]) as Packed
  const installed = join(folder, 'node_modules/@svc-admin/client')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', join(folder, packed.filename), '-C', installed, '--strip-components=1'])
  // npm would also install these dependencies.
  for (const name of ['@svc-admin/types', 'openapi-fetch'])
    symlinkSync(join(root, '../../node_modules', name), join(folder, 'node_modules', name), 'dir')
  return { ...packed, installed }
}
