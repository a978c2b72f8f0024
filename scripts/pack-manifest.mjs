// Runs before and after `npm pack` in a package. While npm packs, the manifest has no conditions for unpublished
// files, such as source files. Usage, in a package's folder: `node ../../scripts/pack-manifest.mjs clean|restore`
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { selectPublished } from './select-published.mjs'

const file = 'package.json'
const original = 'package.json.orig'

// This also restores the manifest after an interrupted pack.
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
