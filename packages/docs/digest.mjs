/** This file is plain JavaScript because loading a compiler would slow down a build that is already up to date. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The bundled MCP server, next to the site. */
export const serverFile = 'mcp.js'

/**
 * Runs a build unless the previous build had the same inputs and its output is unmodified. Added, missing and
 * changed output files also trigger a build. Returns the result of the build, or nothing if the files are up
 * to date.
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

/** Returns a digest of all files and folders, by name and content. */
export function digestOf(paths, words = []) {
  const hash = createHash('sha256').update(JSON.stringify(words))
  for (const path of paths)
    for (const file of filesIn(path)) hash.update(`\0${relative(path, file)}\0`).update(readFileSync(file))
  return hash.digest('hex')
}

/**
 * Returns the path, size and modification time of each file at a path. Reading this data is much faster than reading
 * the files.
 */
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
