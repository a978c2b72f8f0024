// Plain Node, because a build with nothing to do shall not pay for a compiler.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A digest of every file given, folders with all that is in them, by name and content. */
export function digestOf(paths, words = []) {
  const hash = createHash('sha256').update(JSON.stringify(words))
  for (const path of paths)
    for (const file of filesIn(path)) hash.update(`\0${relative(path, file)}\0`).update(readFileSync(file))
  return hash.digest('hex')
}

/** The paths of all files within a folder. */
export const namesIn = (folder) => filesIn(folder).map((file) => relative(folder, file))

function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
