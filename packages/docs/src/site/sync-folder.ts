import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

/** The site's files by path, with `/` between folders. */
export type SiteFiles = Map<string, string | Uint8Array>

/**
 * Writes, replaces and deletes files so that a folder contains exactly the given files. Unchanged files stay in place,
 * so a running server always finds them. This is also faster than deleting and writing thousands of files.
 */
export function syncFolder(folder: string, files: SiteFiles): { written: number; removed: number } {
  const present = new Set(existsSync(folder) ? filesIn(folder) : [])
  let written = 0
  const created = new Set<string>()
  for (const [path, content] of files) {
    const file = join(folder, path)
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    if (present.has(path) && readFileSync(file).equals(bytes)) continue
    const parent = dirname(file)
    if (!created.has(parent)) mkdirSync(parent, { recursive: true })
    created.add(parent)
    writeFileSync(file, bytes)
    written += 1
  }
  const stale = [...present].filter((path) => !files.has(path))
  for (const path of stale) rmSync(join(folder, path))
  removeEmptyFolders(
    folder,
    stale.map((path) => dirname(path)),
  )
  return { written, removed: stale.length }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
}

function removeEmptyFolders(folder: string, candidates: readonly string[]): void {
  for (const candidate of new Set(candidates)) {
    let path = candidate
    while (path !== '.' && existsSync(join(folder, path)) && readdirSync(join(folder, path)).length === 0) {
      rmdirSync(join(folder, path))
      path = dirname(path)
    }
  }
}
