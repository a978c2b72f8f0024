// Collects the licenses of bundled packages. Most of these licenses must be distributed along with the code.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * Returns the text of a package's license. If the package contains no license text, returns the name of the license
 * from the manifest.
 */
function licenseOf(folder) {
  const name = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file))
  const { license, version, name: title } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return `${title} ${version}\n\n${name ? readFileSync(join(folder, name), 'utf8').trim() : license}\n`
}

/**
 * Returns the licenses of the third-party packages in an esbuild bundle. The metafile's paths are relative to `folder`.
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
