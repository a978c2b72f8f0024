import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import type { Facts } from '../src/model.ts'

interface Stored {
  changed: number
  content: unknown
}

const cache = new Map<string, Stored>()

/**
 * Returns the documents of all versions from the folder that contains a bundled document, because some rules compare
 * versions. For any other file, returns no documents.
 */
export function otherDocuments(file: string, facts: Facts): ReadonlyMap<string, unknown> {
  const ids = facts.versions.map(({ id }) => id)
  if (!ids.includes(basename(file, extname(file)))) return new Map()
  const files = ids.map((id) => [id, join(dirname(file), `${id}.json`)] as const)
  return new Map(files.filter(([, path]) => existsSync(path)).map(([id, path]) => [id, read(path)]))
}

function read(path: string): unknown {
  const changed = statSync(path).mtimeMs
  const known = cache.get(path)
  if (known?.changed === changed) return known.content
  const content: unknown = JSON.parse(readFileSync(path, 'utf8'))
  cache.set(path, { changed, content })
  return content
}
