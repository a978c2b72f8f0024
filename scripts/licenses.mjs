// Collects the licenses of bundled packages, which must be distributed together with the code.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * Returns a package's license text. If the package contains no license text, returns the license's name from the
 * manifest.
 */
function licenseOf(folder) {
  const name = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file))
  const { license, version, name: title } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return `${title} ${version}\n\n${name ? readFileSync(join(folder, name), 'utf8').trim() : license}\n`
}

/**
 * Returns the licenses of third-party packages in an esbuild bundle. The paths in the metafile are relative
 * to `folder`.
 */
export function licensesOf(metafile, folder = process.cwd()) {
  const packages = new Set(
    Object.keys(metafile.inputs).flatMap((input) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []),
  )
  return [...packages]
    .sort()
    .map((path) => licenseOf(resolve(folder, path)))
    .join(`\n${'-'.repeat(80)}\n\n`)
}
