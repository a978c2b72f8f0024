// Plain Node, so that an up-to-date build doesn't start a compiler.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A digest of all files and folders, by name and content. */
export function digestOf(paths, words = []) {
  const hash = createHash('sha256').update(JSON.stringify(words))
  for (const path of paths)
    for (const file of filesIn(path)) hash.update(`\0${relative(path, file)}\0`).update(readFileSync(file))
  return hash.digest('hex')
}

/** The paths of all files in a folder with their modification data, which is much faster than reading the contents. */
export const tracesIn = (folder) =>
  filesIn(folder).map((file) => {
    const { size, mtimeMs } = statSync(file)
    return [relative(folder, file), size, mtimeMs]
  })

function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
