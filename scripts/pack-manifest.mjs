/**
 * Removes references to unpublished files, such as source files, from a package's manifest while npm packs the package.
 * In the package's folder, run `node ../../scripts/pack-manifest.mjs clean` before `npm pack`, and the same command
 * with `restore` afterwards.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { selectPublished } from './select-published.mjs'

const file = 'package.json'
const original = 'package.json.orig'

// Always restore the manifest first, because an earlier run may have been interrupted.
if (existsSync(original)) renameSync(original, file)
if (process.argv[2] === 'clean') {
  const text = readFileSync(file, 'utf8')
  const { files, ...manifest } = JSON.parse(text)
  const { exports, imports } = manifest
  const published = {
    ...manifest,
    files,
    imports: selectPublished(imports, files),
    exports: selectPublished(exports, files),
  }
  writeFileSync(original, text)
  writeFileSync(file, `${JSON.stringify(published, null, 2)}\n`)
}
