/** This file is plain JavaScript because loading a compiler would slow down a build that is already up to date. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The file name of the bundled MCP server, which is in the same folder as the site. */
export const serverFile = 'mcp.js'

/**
 * Runs a build if the inputs or output files have changed since the previous build. Returns the result of the build, or
 * nothing if no build was necessary.
 */
export async function buildIfChanged({ out, digest, build }) {
  const mark = join(out, 'digest')
  const site = join(out, 'site')
  const now = () => JSON.stringify([digest, ...[site, join(out, serverFile)].flatMap(tracesIn)])
  if (existsSync(mark) && readFileSync(mark, 'utf8') === now()) return undefined
  // Remove the digest first because an interrupted build leaves a mix of old and new files.
  rmSync(mark, { force: true })
  const built = await build()
  if (built.unknown.length === 0) writeFileSync(mark, now())
  return built
}

/** Returns a hash of the names and contents of all files and folders at the given paths. */
export function digestOf(paths, words = []) {
  const hash = createHash('sha256').update(JSON.stringify(words))
  for (const path of paths)
    for (const file of filesIn(path)) hash.update(`\0${relative(path, file)}\0`).update(readFileSync(file))
  return hash.digest('hex')
}

/** Returns the path, size and modification time of each file at a path. This is much faster than reading the files. */
const tracesIn = (path) =>
  (existsSync(path) ? filesIn(path) : []).map((file) => {
    const { size, mtimeMs } = statSync(file)
    return [relative(path, file), size, mtimeMs]
  })

function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
