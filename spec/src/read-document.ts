import { existsSync, readFileSync } from 'node:fs'
import type { OpenApiDocument } from './model.ts'
import { applyOverlay } from './overlay.ts'

/** Reads the document for a version. If the version's overlay is in the same folder, adds the provenance from it. */
export function readDocument(folder: URL, version: string): OpenApiDocument {
  const read = (url: URL) => JSON.parse(readFileSync(url, 'utf8'))
  const document: OpenApiDocument = read(new URL(`${version}.json`, folder))
  const overlay = new URL(`${version}.overlay.json`, folder)
  return existsSync(overlay) ? applyOverlay(document, read(overlay)) : document
}
