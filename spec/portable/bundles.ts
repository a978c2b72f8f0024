import { fileURLToPath } from 'node:url'
import { loadDocument, loadFacts } from '../src/index.ts'

/** The bundles as they are published, as files that tools can be given. */
export const bundles = loadFacts().versions.map(({ id }) => ({
  version: id,
  file: fileURLToPath(new URL(`../dist/${id}.json`, import.meta.url)),
  document: loadDocument(id),
}))
